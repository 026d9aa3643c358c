// Package selection learns which upstream tools sessions use, and ranks those that
// could be shown to one.
//
// A Learner reads what runtime/observe/usage has kept once, when the first ranking is asked
// for, and follows the calls that come then: those of its own process, and soon after
// those that other processes keep in the same log. Each profile has a model of its own:
// nothing that is learnt in one is known in another, unless the configuration has that
// one learn from it. Who asks waits for the reading a moment at most; without it,
// rankings go by words and servers, and say so. What was deleted is forgotten by learning
// anew what is left; so is an old half-life.
//
// What is learnt is runtime/retrieval/predict's; what is listed is decided by builtins in a
// pipeline. It holds no list but the first one of a profile, which stands for a while,
// so that sessions that begin after one another share what their model has cached.
package selection
