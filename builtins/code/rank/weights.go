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

	DefK1, DefB, DefName, DefSig, DefDoc, DefBody                     float64
	RFile, RDef, RNamed, RExact                                       float64
	RRF                                                               float64 // k; 0 = score sums
	DefSum                                                            float64
	Cover, BaseCover, Size, Weak, IdentWeak                           float64
	Soft, Companion, Dir, Lang, Syn, Near, NearAll, IdfPow, AcroBoost float64
}

// Default weights.
func Default() Weights {
	return Weights{K1: 1.6, B: 0.6, K3: .05, TitleTerm: 1, BodyTerm: 0.3, Ident: .75, Pair: 0.4,
		Test: .05, Docs: .1, Config: .3, Types: 1, Vendored: .1, Generated: .15,
		FName: 1.5, FSig: .6, FComment: .3, FBody: 1, FPath: .3, FBase: 4,
		BName: .25, BSig: .375, BComment: .45, BBody: .55,
		DefK1: 1.2, DefB: .25, DefName: 6, DefSig: .5, DefDoc: 2, DefBody: 1,
		RFile: 1, RDef: .6, RNamed: 1, RExact: 1, DefSum: .5, Weak: .5, IdentWeak: .75, BaseCover: 2.5, Lang: .1, Syn: .1, Near: .15, NearAll: .1, IdfPow: .75}
}

var weak = weakWords
