import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.IOException;
import java.nio.file.*;
import java.util.*;
import java.util.stream.Collectors;
import javax.lang.model.element.*;
import javax.lang.model.type.TypeKind;
import javax.tools.ToolProvider;

/**
 * Prints the methods of a Java tree, and where javac says that they are called or named: a line of JSON for each method,
 * and one for the places that it cannot tell, as where a library is missing.
 *
 * <pre>java .ci/edges/Edges.java DIR</pre>
 */
public class Edges {
  record Method(String name, String path, long line, List<String> calls, List<String> uses) {}

  final Path root;
  final Trees trees;
  final List<CompilationUnitTree> units = new ArrayList<>();
  final Map<Element, Method> methods = new LinkedHashMap<>();
  final Set<String> ungraded = new LinkedHashSet<>();

  Edges(Path root) throws IOException {
    this.root = root;
    List<Path> files;
    try (var all = Files.walk(root)) {
      files = all.filter(p -> p.toString().endsWith(".java") && !p.toString().endsWith("-info.java")).toList();
    }
    var compiler = ToolProvider.getSystemJavaCompiler();
    var manager = compiler.getStandardFileManager(null, null, null);
    var options = List.of("-proc:none", "-nowarn", "-Xmaxerrs", "1000000");
    var task = (JavacTask) compiler.getTask(null, manager, problem -> {}, options, null, manager.getJavaFileObjectsFromPaths(files));
    task.parse().forEach(units::add);
    task.analyze();
    trees = Trees.instance(task);
  }

  public static void main(String[] args) throws IOException {
    var edges = new Edges(Path.of(args[0]).toAbsolutePath());
    for (var unit : edges.units) edges.addMethods(unit);
    for (var unit : edges.units) edges.addUses(unit);
    for (var m : edges.methods.values()) {
      System.out.printf("{\"name\":\"%s\",\"path\":\"%s\",\"line\":%d,\"calls\":%s,\"uses\":%s}%n", m.name, m.path, m.line, list(m.calls), list(m.uses));
    }
    System.out.printf("{\"ungraded\":%s}%n", list(edges.ungraded));
  }

  static String list(Collection<String> places) {
    return places.stream().map(p -> '"' + p + '"').collect(Collectors.joining(",", "[", "]"));
  }

  String path(CompilationUnitTree unit) {
    return root.relativize(Path.of(unit.getSourceFile().toUri())).toString();
  }

  /** Returns where a tree ends: of a chain of calls, each is on the line of its name. */
  String place(CompilationUnitTree unit, Tree tree) {
    return path(unit) + ":" + unit.getLineMap().getLineNumber(trees.getSourcePositions().getEndPosition(unit, tree) - 1);
  }

  void addMethods(CompilationUnitTree unit) throws IOException {
    var text = unit.getSourceFile().getCharContent(true).toString();
    new TreePathScanner<Void, Void>() {
      @Override
      public Void visitMethod(MethodTree m, Void none) {
        var name = m.getName().toString();
        var element = trees.getElement(getCurrentPath());
        long start = trees.getSourcePositions().getStartPosition(unit, m);
        if (element != null && start >= 0 && m.getReturnType() != null) {
          int at = text.indexOf(name, (int) trees.getSourcePositions().getEndPosition(unit, m.getReturnType()));
          methods.put(element, new Method(name, path(unit), unit.getLineMap().getLineNumber(at), new ArrayList<>(), new ArrayList<>()));
        }
        return super.visitMethod(m, none);
      }
    }.scan(unit, null);
  }

  void addUses(CompilationUnitTree unit) {
    new TreePathScanner<Void, Void>() {
      void add(TreePath named, boolean called) {
        if (trees.getSourcePositions().getEndPosition(unit, named.getLeaf()) < 0) return; // made by javac
        var at = place(unit, named.getLeaf());
        var element = trees.getElement(named);
        if (!(element instanceof ExecutableElement) || element.asType().getKind() == TypeKind.ERROR) {
          ungraded.add(at);
          return;
        }
        var method = methods.get(element);
        if (method == null) return;
        method.uses.add(at);
        if (called) method.calls.add(at);
      }

      @Override
      public Void visitMethodInvocation(MethodInvocationTree call, Void none) {
        add(new TreePath(getCurrentPath(), call.getMethodSelect()), true);
        return super.visitMethodInvocation(call, none);
      }

      @Override
      public Void visitMemberReference(MemberReferenceTree reference, Void none) {
        add(getCurrentPath(), false);
        return super.visitMemberReference(reference, none);
      }
    }.scan(unit, null);
  }
}
