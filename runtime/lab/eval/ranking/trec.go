package ranking

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// WriteTREC writes lists in the run format of TREC, which trec_eval and other tools score:
// query, Q0, document, rank, score and a tag.
func WriteTREC(out io.Writer, lists []List, tag string) error {
	w := bufio.NewWriter(out)
	for _, l := range lists {
		for i, f := range l.Found {
			fmt.Fprintf(w, "%s Q0 %s %d %s %s\n", l.Query, f.ID, i+1, strconv.FormatFloat(f.Score, 'g', -1, 64), tag)
		}
	}
	return w.Flush()
}
