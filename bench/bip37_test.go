package bench

import (
	"bytes"
	"fmt"
	"testing"

	btcbloom "github.com/btcsuite/btcd/btcutil/bloom"
	"github.com/btcsuite/btcd/wire"

	"github.com/bloomproof/bloomproof/kernel/compat/bip37"
)

// btcd and our filter of BIP 37 write the same messages, read each other's and give the same answers.
func TestBIP37Messages(t *testing.T) {
	for _, n := range []uint64{1, 3, 252, 253, 1000, 36_000} {
		for _, k := range []int{1, 2, 11, 50} {
			for _, tweak := range []uint32{0, 1, 1<<31 + 5, 1<<32 - 1} {
				where := fmt.Sprintf("%d bytes, k = %d, tweak %d", n, k, tweak)
				ours, err := bip37.New(8*n, k, tweak, bip37.UpdateP2PubkeyOnly)
				if err != nil {
					t.Fatal(err)
				}
				theirs := btcbloom.LoadFilter(wire.NewMsgFilterLoad(make([]byte, n), uint32(k), tweak, wire.BloomUpdateP2PubkeyOnly))
				key := func(i uint64) []byte { return fmt.Appendf(nil, "%0*d", i%40, i) }
				for i := range min(60, 8*n/uint64(k)+1) {
					ours.Add(key(i))
					theirs.Add(key(i))
				}
				message, err := ours.MarshalBinary()
				if err != nil {
					t.Fatal(err)
				}
				var sent bytes.Buffer
				if err := theirs.MsgFilterLoad().BtcEncode(&sent, wire.ProtocolVersion, wire.BaseEncoding); err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(message, sent.Bytes()) {
					t.Fatalf("%s: message\n%x, btcd's\n%x", where, message, sent.Bytes())
				}
				var arrived wire.MsgFilterLoad
				if err := arrived.BtcDecode(bytes.NewReader(message), wire.ProtocolVersion, wire.BaseEncoding); err != nil {
					t.Fatal(err)
				}
				theirs = btcbloom.LoadFilter(&arrived)
				for i := range uint64(100) {
					if got, want := ours.Contains(key(i)), theirs.Matches(key(i)); got != want {
						t.Errorf("%s: key %d is contained: %t, btcd says %t", where, i, got, want)
					}
				}
			}
		}
	}
}
