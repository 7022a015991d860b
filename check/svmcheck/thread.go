package svmcheck

import (
	"encoding/binary"

	"github.com/sigview/sigview/svm"
)

// Perform executes an operation on a thread and tells the oracle of it. The
// error of a wrong read names the word.
func Perform(th *svm.Thread, o *Oracle, op Op) error {
	node, at := th.Node(), svm.Addr(op.At*svm.WordSize)
	switch op.Kind {
	case Load:
		return o.Load(node, op.At, binary.NativeEndian.Uint32(th.ReadPiece(at, svm.WordSize)))
	case Store, Restore:
		word := th.WritePiece(at, svm.WordSize)
		v, err := o.Store(node, op.At, op.Kind == Restore)
		binary.NativeEndian.PutUint32(word, v)
		return err
	case Lock:
		th.Lock(uint32(op.At))
		o.Locked(node, op.At)
	case Unlock:
		o.Unlocking(node, op.At)
		th.Unlock(uint32(op.At))
	case Meet:
		o.Arriving(node, op.At)
		th.Barrier(uint32(op.At))
		return o.Passed(node, op.At)
	}
	return nil
}
