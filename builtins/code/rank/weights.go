package rank

// Weights tune the ranking.
type Weights struct {
	K1, B                                          float64
	K3                                             float64
	TitleTerm                                      float64
	BodyTerm                                       float64
	Ident                                          float64
	Pair                                           float64
	Test, Docs, Config, Types, Vendored, Generated float64

	FName, FSig, FComment, FBody, FPath, FBase float64
	BName, BSig, BComment, BBody               float64

	DefK1, DefB, DefName, DefSig, DefDoc, DefBody float64
	RFile, RDef, RNamed, RExact                   float64
	RRF                                           float64 // k; 0 = score sums
	DefSum                                        float64
}

// Default weights.
func Default() Weights {
	return Weights{K1: 1.2, B: 0.6, K3: 2, TitleTerm: 1, BodyTerm: 0.4, Ident: 1, Pair: 0.5,
		Test: .2, Docs: .2, Config: .3, Types: .6, Vendored: .1, Generated: .15,
		FName: 4, FSig: 1, FComment: 1, FBody: 1, FPath: 2, FBase: 4,
		BName: .5, BSig: .5, BComment: .6, BBody: .6,
		DefK1: 1.2, DefB: .5, DefName: 4, DefSig: 1.5, DefDoc: 2, DefBody: 1,
		RFile: 1, RDef: .6, RNamed: 1, RExact: 1, DefSum: .3}
}
