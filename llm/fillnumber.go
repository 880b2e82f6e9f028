package llm

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/agentfsm/agentfsm/internal/repair"

	"github.com/agentfsm/agentfsm/internal/loosejson"
)

// fillNumber takes a number, or a string that is one.
func fillNumber(into reflect.Value, v loosejson.Value, at *place) error {
	digits := v.Text
	if v.Kind == loosejson.String {
		inner, err := loosejson.Parse(digits)
		if err != nil {
			return wants(at, "a number", v)
		}
		if digits, v.Kind = inner.Text, inner.Kind; v.Kind == loosejson.Number {
			at.note(repair.Number)
		}
	}
	if v.Kind != loosejson.Number {
		return wants(at, "a number", v)
	}
	typ := into.Type()
	bits := 64
	if typ != numberType {
		bits = typ.Bits()
	}
	problem := fmt.Sprintf("is a number that does not fit %s", typ)
	switch {
	case typ == numberType:
		into.SetString(digits)
		return nil
	case into.CanFloat():
		f, err := strconv.ParseFloat(digits, bits)
		if err != nil {
			return &misfit{at.String(), problem}
		}
		into.SetFloat(f)
		return nil
	case into.CanInt():
		if n, err := strconv.ParseInt(whole(digits), 10, bits); err == nil {
			into.SetInt(n)
			return nil
		}
	default:
		if n, err := strconv.ParseUint(whole(digits), 10, bits); err == nil {
			into.SetUint(n)
			return nil
		}
	}
	return &misfit{at.String(), problem}
}

// whole writes 3.0 and 3e2 as integers. Others come back as they are.
func whole(digits string) string {
	const exact = 1 << 53
	if !strings.ContainsAny(digits, ".eE") {
		return digits
	}
	f, err := strconv.ParseFloat(digits, 64)
	if err != nil || f < -exact || f > exact || f != float64(int64(f)) {
		return digits
	}
	return strconv.FormatInt(int64(f), 10)
}
