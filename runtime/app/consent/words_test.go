package consent

import (
	"reflect"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/config"
)

// TestOnlySomeSectionsLeaveTextsAlone changes each part of a configuration: unless it is known not to reach the texts
// of tools, they must be compared.
func TestOnlySomeSectionsLeaveTextsAlone(t *testing.T) {
	aside := map[string]bool{"Servers": true, "Dependencies": true, "Roots": true, "Source": true, "Base": true}
	for i := range reflect.TypeFor[config.Config]().NumField() {
		name := reflect.TypeFor[config.Config]().Field(i).Name
		base := &config.Config{}
		changed := &config.Config{Base: base}
		if field := reflect.ValueOf(changed).Elem().Field(i); name != "Base" {
			setNonZero(t, name, field)
		}
		if got := changesServersOnly(changed); got != aside[name] {
			t.Errorf("with other %s: changesServersOnly is %v", name, got)
		}
	}
}

// setNonZero gives a field a value that differs from its zero value.
func setNonZero(t *testing.T, name string, v reflect.Value) {
	switch v.Kind() {
	case reflect.Map:
		key := reflect.New(v.Type().Key()).Elem()
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, reflect.New(v.Type().Elem()).Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Struct:
		setNonZero(t, name, v.Field(0))
	default:
		t.Fatalf("%s: no other value of a %s", name, v.Kind())
	}
}
