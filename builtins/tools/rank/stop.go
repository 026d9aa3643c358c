package rank

import "strings"

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// stopWords carry no meaning: they are neither indexed nor asked for.
var stopWords = set(`a about above after again all also am an and any are aren as at be because been before being below
	between both but by can cannot could couldn did didn do does doesn doing don done down during each either else etc
	ever every few for from further had hadn has hasn have haven having he her here hers him his how however i if in
	into is isn it its itself let ll me might mine more most much must my myself neither no nor not of off on once one
	only onto or other our ours out over own per quite rather re really s same shall she should shouldn since so some
	such t than that the their theirs them themselves then there these they this those though through thus to too
	toward under until up upon us ve very via was wasn we were weren what when where whether which while who whom whose
	why will with within without won would wouldn yet you your yours yourself im ive id hi hello hey dear please kindly
	thanks thank ok okay oh well just e g eg ie`)

// frameWords are how people ask, not what they ask for: they are found in the
// text of tools too, where they tell little.
var frameWords = set(`able actually allow allows amazing anyone anything apply appreciate ask asking assist assistance
	available aware based basically begin believe best better big bit bring called came capable care certain certainly
	come comes coming considering correct couple curious decide definitely desired details different easily
	easy effective efficient efficiently enable enables ensure especially exact exactly excellent excited existing
	expect experience explain explore fantastic favorite feel fine fit following full fully general get gets getting
	give given gives giving go goes going gone good got great guide handle happen happened happy help helped helpful helping
	helps highly hope hoping ideal idea ideas important include included includes including incorporate information
	info input interested interesting keep kind know knowing lately latest like likely little long look looking looks lot
	lots love made main make makes making manage many maybe mean means mention mentioned might mind moment need needed
	needing needs new nice now obtain offer offered offers options output particular perfect perhaps personal
	possible prefer preferably preferred present process properly provide provided provides providing purpose put quick
	quickly ready receive recent recently recommend recommendation recommendations regarding related relevant reliable
	request requested require required requirements right run said say says see seeing seem seen service set several
	share show showing simple simply something soon sort special specific specifically start still stuff suggest
	suggested suggestion suggestions suggestions suitable support supports sure take taken taking talk tell thing
	things think thinking today tool tools top total transform try trying type types understand unique up use used
	useful user users uses using usually various vary want wanted wanting wants way ways whatever whenever wish
	wonder wonderful wondering work working works worth always around away back bad call can could enough even
	everything first last least less nothing often others part people person place quite second since someone
	sometimes together until user usually within yes interest purposes additional additionally furthermore moreover
	accurate comprehensive detailed overview insights tips advice example examples result results
	developed feature next improve skilled advanced highlighted multiple techniques ones term beginning
	condition conditions return returns value values data item items function parameter optional default list find search check`)
