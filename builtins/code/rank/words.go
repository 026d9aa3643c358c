package rank

import "strings"

// set reads a list of words as data.
func set(words string) map[string]bool {
	list := strings.Fields(words)
	m := make(map[string]bool, len(list))
	for _, w := range list {
		m[w] = true
	}
	return m
}

// stopWords carry no meaning in a question about code, in any of the languages
// that questions come in. A word is only skipped as a foreign stop word where
// the question is in that language: "die" is one in German alone.
var stopWords = map[string]map[string]bool{
	"en": set(`a about above after again all also am an and any are as at be because been before being below between both
		but by can cannot could did do does doing done down during each either else etc every few for from further get
		gets getting got had has have having he her here hers him his how however i if in into is it its itself just let
		like many may maybe me might more most much must my myself need needs neither no nor not now of off ok on once one
		only onto or other our ours out over own per please rather really same see seems shall she should since so some
		still such than that the their theirs them then there these they this those though through thus to too under
		until up upon us use used uses using via very was way we well were what when where whether which while who whom
		whose why will with within without would yet you your yours ll re ve don doesn didn isn aren wasn weren won
		wouldn couldn shouldn hasn haven hadn cannot instead does`),
	"de": set(`der die das den dem des ein eine einen einem einer und oder aber ist sind war waren wird werden wurde wurden
		wo wie was wer warum wann welche welcher welches welchen wofür womit ich du er sie es wir ihr man nicht kein keine auf aus bei
		für im in mit nach von vom vor zu zum zur über unter durch gegen ohne um als auch dass wenn dann hier dort kann
		können muss müssen soll sollen hat haben an am sich diese dieser dieses gibt mir mich bitte alle noch nur`),
	"fr": set(`le la les un une des du de et ou mais est sont était sera où comment quoi qui pourquoi quand quel quelle
		quels quelles je tu il elle on nous vous ils elles ne pas plus au aux avec dans en par pour sans sous sur ce cet
		cette ces que se sa son ses leur leurs est-ce fait être avoir a ont dont si comme tous toutes`),
	"es": set(`el la los las un una unos unas y o pero es son está están era dónde donde cómo como qué que quién por para
		cuándo cuál cuáles yo tú él ella nosotros ellos no se de del al a en con sin sobre entre su sus lo le les este
		esta estos estas ese esa si más muy hay puede hace`),
	"pt": set(`o a os as um uma uns umas e ou mas é são está estão era onde como que quem por para quando qual quais eu tu
		ele ela nós eles não se de do da dos das ao à em no na nos nas com sem sobre entre seu sua este esta esse essa
		isso se mais muito há pode faz fica`),
	"it": set(`il lo la i gli le un uno una e o ma è sono era dove come che chi perché quando quale quali io tu lui lei
		noi loro non si di del della dei delle al alla da dal in nel nella con su per tra fra questo questa questi se
		più c'è viene vengono`),
	"nl": set(`de het een en of maar is zijn was waar hoe wat wie waarom wanneer welke ik je hij zij wij niet geen op uit
		bij voor in met naar van over door zonder om als ook dat dan hier daar kan moet wordt worden deze dit die er`),
	"ru": set(`и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от
		меня еще нет о из ему когда где даже ну если или ни быть был него до вас уже для мы их чем была сам чтобы без
		это этот эта эти при над под про какой какая какие почему зачем`),
}

// weakWords name what should happen rather than what it happens to. They count
// for less: hardly any two questions that hold "fix" mean the same code.
var weakWords = set(`fix fixes fixed fixing add adds added adding support supports supported supporting remove removes
	removed removing improve improves improved improving improvement improvements update updates updated updating change
	changes changed changing handle handles handled handling allow allows allowed allowing avoid avoids avoided avoiding
	ensure ensures ensured ensuring prevent prevents prevented preventing make makes making made implement implements
	implemented implementing implementation provide provides provided providing enable enables enabled disable disables
	disabled introduce introduces introduced correct corrects correctly properly proper better issue issues problem
	problems bug bugs wrong wrongly work works working new never always when default defaults option options check
	checks checking find show tell explain look code file files function method class thing things defined declared
	located lives live happens happen definition logic part place codebase project repository repo responsible`)

// reportWords are the headings and filler of issue templates.
var reportWords = set(`steps reproduce reproduction expected actual behavior behaviour environment version versions
	description describe additional context screenshots checklist prerequisites os platform regression minimal
	reproducible example logs system info possible solution relevant log output what happened summary`)
