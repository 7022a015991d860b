package analysis

import (
	"fmt"
	"strconv"
	"strings"
)

// Keyed makes a column from a cell for each row. A name that begins with "<" aligns the column
// left.
func Keyed[T any](name, key string, cell func(T) Cell) Col[T] {
	name, left := strings.CutPrefix(name, "<")
	return Col[T]{Column{Name: name, Key: key, Left: left}, cell}
}

// Text makes a column for people from a text for each row. Its name is as that of Keyed.
func Text[T any](name string, of func(T) string) Col[T] {
	return Keyed(name, "", func(r T) Cell { return Cell{Text: of(r)} })
}

// Word makes a column of words, aligned left, that are the same for people and programs.
func Word[T any](name, key string, of func(T) string) Col[T] {
	return Keyed("<"+name, key, func(r T) Cell { return Cell{Text: of(r), Value: of(r)} })
}

// Number makes a column of whole numbers.
func Number[T any, N int | int64](name, key string, of func(T) N) Col[T] {
	return Keyed(name, key, func(r T) Cell { return Cell{Text: fmt.Sprint(of(r)), Value: of(r)} })
}

// Count makes a column of counts, which people see as Digits.
func Count[T any](name, key string, of func(T) int64) Col[T] {
	return Keyed(name, key, func(r T) Cell { return Cell{Text: Digits(of(r)), Value: of(r)} })
}

// Float makes a column of numbers with so many decimals.
func Float[T any](name, key string, decimals int, of func(T) float64) Col[T] {
	return Keyed(name, key, func(r T) Cell { return Cell{Text: strconv.FormatFloat(of(r), 'f', decimals, 64), Value: of(r)} })
}

// Micro makes a column of times in µs, which people see with one digit after the point.
func Micro[T any](name, key string, us func(T) float64) Col[T] {
	return Keyed(name, key, func(r T) Cell { return Cell{Text: In(1e3, "%.1f", 1000*us(r)), Value: us(r)} })
}

// Milli makes a column of times in µs, which people see as Ms.
func Milli[T any](name, key string, us func(T) float64) Col[T] {
	return Keyed(name, key, func(r T) Cell { return Cell{Text: millis(1000 * us(r)), Value: us(r)} })
}

// Share makes a column of shares.
func Share[T any](name, key string, of func(T) float64) Col[T] {
	return Keyed(name, key, func(r T) Cell { return Cell{Text: fmt.Sprintf("%.1f %%", 100*of(r)), Value: of(r)} })
}

// Hidden makes a column for JSON documents and CSV files only.
func Hidden[T any](key string, of func(T) any) Col[T] {
	return Keyed("", key, func(r T) Cell { return Cell{Value: of(r)} }).In(Never)
}
