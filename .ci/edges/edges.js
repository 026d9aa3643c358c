// edges.js DIR: the functions of a TypeScript tree, and where tsc says that they are called or named.
//
// Prints a line of JSON for each function, and one for the places that tsc cannot tell. Needs the
// package typescript. Packages of the tree are found by their names, in their src.
const fs = require('node:fs'), path = require('node:path'), ts = require('typescript')

const root = path.resolve(process.argv[2])
const sources = [], paths = {}
;(function walk(dir) {
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
    const at = path.join(dir, entry.name)
    if (entry.isDirectory()) {
      if (!['node_modules', '.git', 'dist'].includes(entry.name)) walk(at)
    } else if (/\.[cm]?[jt]sx?$/.test(entry.name) && !/\.d\.[cm]?ts$/.test(entry.name)) {
      sources.push(at)
    } else if (entry.name === 'package.json') {
      addPackage(dir, at)
    }
  }
})(root)

function addPackage(dir, file) {
  let name
  try {
    name = JSON.parse(fs.readFileSync(file, 'utf8')).name
  } catch {
    return // a fixture
  }
  const index = ['src/index.ts', 'src/node/index.ts'].map((f) => path.join(dir, f)).find((f) => fs.existsSync(f))
  if (!name || !index) return
  paths[name] = [index]
  paths[name + '/*'] = [path.join(dir, 'src/*'), path.join(dir, 'src/*/index.ts')]
}

let own = {}
const config = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile)
if (config.config) own = ts.parseJsonConfigFileContent(config.config, ts.sys, root).options
const program = ts.createProgram(sources, {
  ...own, allowJs: true, checkJs: false, noEmit: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler, allowImportingTsExtensions: true, jsx: ts.JsxEmit.Preserve, skipLibCheck: true,
  composite: false, incremental: false, rootDir: undefined, types: [], strict: true, baseUrl: own.baseUrl || root, paths: { ...own.paths, ...paths },
})
const checker = program.getTypeChecker()
const files = program.getSourceFiles().filter((f) => f.fileName.startsWith(root) && !f.isDeclarationFile && !f.fileName.includes('/node_modules/'))

function lineOf(file, node) {
  return file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
}

// functionOf returns a declaration that has the body of a function, or null.
function functionOf(d) {
  if ((ts.isFunctionDeclaration(d) || ts.isMethodDeclaration(d)) && d.name && d.body) return d
  const value = ts.isVariableDeclaration(d) && ts.isIdentifier(d.name) && d.initializer
  return value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) ? d : null
}

const functions = new Map(), ungraded = new Set()
for (const file of files) {
  ;(function visit(node) {
    const d = functionOf(node)
    const inObject = d && ts.isMethodDeclaration(d) && !ts.isClassLike(d.parent)
    if (d && !inObject && (ts.isIdentifier(d.name) || ts.isPrivateIdentifier(d.name))) {
      functions.set(d, { name: d.name.text, path: path.relative(root, file.fileName), line: lineOf(file, d.name), calls: [], uses: [] })
    }
    ts.forEachChild(node, visit)
  })(file)
}

// symbolOf returns what a name means behind imports, undefined where tsc cannot tell.
function symbolOf(node) {
  let symbol = checker.getSymbolAtLocation(node)
  if (ts.isShorthandPropertyAssignment(node.parent)) symbol = checker.getShorthandAssignmentValueSymbol(node.parent) || symbol
  if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol)
  return symbol && symbol.declarations ? symbol : undefined
}

function isCalled(node) {
  let callee = node, around = node.parent
  if (ts.isPropertyAccessExpression(around) && around.name === node) [callee, around] = [around, around.parent]
  while (ts.isNonNullExpression(around) || ts.isParenthesizedExpression(around)) [callee, around] = [around, around.parent]
  return (ts.isCallExpression(around) || ts.isNewExpression(around)) && around.expression === callee || ts.isTaggedTemplateExpression(around) && around.tag === callee
}

for (const file of files) {
  ;(function visit(node) {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) {
      const at = path.relative(root, file.fileName) + ':' + lineOf(file, node), symbol = symbolOf(node)
      if (!symbol) ungraded.add(at)
      for (const d of symbol ? symbol.declarations : []) {
        const f = functions.get(functionOf(d)), p = node.parent
        if (!f || p === d || ts.isImportSpecifier(p) || ts.isImportClause(p) || ts.isExportSpecifier(p)) continue
        f.uses.push(at)
        if (isCalled(node)) f.calls.push(at)
      }
    }
    ts.forEachChild(node, visit)
  })(file)
}

for (const f of functions.values()) console.log(JSON.stringify(f))
console.log(JSON.stringify({ ungraded: [...ungraded] }))
