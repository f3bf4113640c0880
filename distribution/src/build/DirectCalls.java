import static org.objectweb.asm.Opcodes.*;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.IntStream;
import java.util.zip.Deflater;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;

/**
 * Makes classes of lambdas and method references in jars, and methods of the equals, hashCode and toString that javac leaves to the JVM in records. The JVM
 * links each such place at run time, through method handles that it interprets, which takes a fifth of the processor time of a short run; a class
 * comes out of the archive of classes. The build runs it as a source file, {@code java -cp ASM DirectCalls.java FOLDER}, on the program's own jars
 * in a folder. A jar that has been through it stays as it is.
 *
 * <p>It also copies picocli's annotations into a class of their own, {@code NAME$Members}, for {@code PreparedSpec}. For annotations Java would
 * make a class for each of their types at every start, and read all of them again.
 *
 * <p>A class of a lambda is a nest mate of the class that it was in, so it reaches private methods. It converts arguments and results as
 * {@code LambdaMetafactory} says. Serializable lambdas stay.
 */
final class DirectCalls {
  private static final String OBJECT = "java/lang/Object";
  private static final Type OBJECT_TYPE = Type.getObjectType(OBJECT);

  /** Primitive types by their sorts, and their classes. */
  private static final List<Type> PRIMITIVES =
      List.of(
          Type.VOID_TYPE, Type.BOOLEAN_TYPE, Type.CHAR_TYPE, Type.BYTE_TYPE, Type.SHORT_TYPE, Type.INT_TYPE, Type.FLOAT_TYPE, Type.LONG_TYPE, Type.DOUBLE_TYPE);

  private static final List<String> BOXES =
      IntStream.range(0, PRIMITIVES.size())
          .mapToObj(sort -> "java/lang/" + List.of("Void", "Boolean", "Character", "Byte", "Short", "Integer", "Float", "Long", "Double").get(sort))
          .toList();

  private final Map<String, ClassWriter> classes = new LinkedHashMap<>();

  /** Classes that are made, of lambdas and of annotations. */
  private final Map<String, byte[]> added = new TreeMap<>();

  /** Each lambda's class to its nest host. */
  private final Map<String, String> hosts = new TreeMap<>();

  public static void main(String[] arguments) throws IOException {
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of(arguments[0]), "starling-*.jar")) {
      for (Path jar : jars) {
        new DirectCalls().convert(jar);
      }
    }
  }

  private void convert(Path jar) throws IOException {
    Path made = jar.resolveSibling(jar.getFileName() + ".part");
    try (JarFile file = new JarFile(jar.toFile());
        JarOutputStream out = new JarOutputStream(Files.newOutputStream(made))) {
      // Every start reads a library out of a jar.
      out.setLevel(Deflater.NO_COMPRESSION);
      List<JarEntry> entries = Collections.list(file.entries());
      for (JarEntry entry : entries) {
        if (entry.getName().endsWith(".class")) {
          ClassReader reader = new ClassReader(file.getInputStream(entry).readAllBytes());
          ClassWriter writer = new ClassWriter(reader, 0);
          reader.accept(new Converter(writer), 0);
          classes.put(entry.getName(), writer);
        }
      }
      hosts.forEach((lambda, host) -> classes.get(host + ".class").visitNestMember(lambda));
      for (JarEntry entry : entries) {
        ClassWriter writer = classes.get(entry.getName());
        write(out, entry.getName(), entry.getTime(), writer == null ? file.getInputStream(entry).readAllBytes() : writer.toByteArray());
      }
      long time = entries.get(0).getTime();
      for (Map.Entry<String, byte[]> each : added.entrySet()) {
        write(out, each.getKey() + ".class", time, each.getValue());
      }
    }
    Files.move(made, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  private static void write(JarOutputStream out, String name, long time, byte[] content) throws IOException {
    JarEntry entry = new JarEntry(name);
    entry.setTime(time);
    out.putNextEntry(entry);
    out.write(content);
    out.closeEntry();
  }

  /** Converts one class. */
  private final class Converter extends ClassVisitor {
    private String name = "";
    private String host = "";
    private int count;

    /** Picocli's annotations of the class and its fields: name of the field (null for the class), the annotation's, then attributes and their values. */
    private final List<List<Object>> members = new ArrayList<>();

    Converter(ClassWriter writer) {
      super(ASM9, writer);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String superName, String[] interfaces) {
      this.name = name;
      this.host = name;
      super.visit(version, access, name, signature, superName, interfaces);
    }

    @Override
    public void visitNestHost(String nestHost) {
      host = nestHost;
      super.visitNestHost(nestHost);
    }

    @Override
    public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
      return picocli(null, descriptor, super.visitAnnotation(descriptor, visible));
    }

    @Override
    public FieldVisitor visitField(int access, String field, String descriptor, String signature, Object value) {
      return new FieldVisitor(ASM9, super.visitField(access, field, descriptor, signature, value)) {
        @Override
        public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
          return picocli(field, annotation, super.visitAnnotation(annotation, visible));
        }
      };
    }

    private AnnotationVisitor picocli(String field, String annotation, AnnotationVisitor copy) {
      String prefix = "Lpicocli/CommandLine$";
      if (!annotation.startsWith(prefix)) {
        return copy;
      }
      List<Object> member = new ArrayList<>();
      member.add(field);
      member.add(annotation.substring(prefix.length(), annotation.length() - 1));
      members.add(member);
      return new Attributes(copy, member, true);
    }

    @Override
    public void visitEnd() {
      super.visitEnd();
      if (members.isEmpty() || members.stream().anyMatch(member -> member.contains("subcommands"))) {
        return;
      }
      String made = name + "$Members";
      ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
      writer.visit(V17, ACC_PUBLIC | ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC, made, null, OBJECT, new String[] {"java/util/function/Supplier"});
      MethodVisitor code = writer.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
      code.visitCode();
      code.visitVarInsn(ALOAD, 0);
      code.visitMethodInsn(INVOKESPECIAL, OBJECT, "<init>", "()V", false);
      end(code, RETURN);
      code = writer.visitMethod(ACC_PUBLIC, "get", "()L" + OBJECT + ";", null, null);
      code.visitCode();
      push(code, members);
      end(code, ARETURN);
      added.put(made, writer.toByteArray());
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
      return new MethodVisitor(ASM9, super.visitMethod(access, name, descriptor, signature, exceptions)) {
        @Override
        public void visitInvokeDynamicInsn(String method, String type, Handle bootstrap, Object... arguments) {
          String maker = bootstrap.getOwner() + "." + bootstrap.getName();
          if (maker.equals("java/lang/invoke/LambdaMetafactory.metafactory")) {
            lambda(mv, method, Type.getMethodType(type), (Type) arguments[0], (Handle) arguments[1], (Type) arguments[2]);
          } else if (maker.equals("java/lang/runtime/ObjectMethods.bootstrap")) {
            recordMethod(method, type, arguments);
            mv.visitMethodInsn(INVOKESTATIC, Converter.this.name, "direct$" + method, type, false);
          } else {
            super.visitInvokeDynamicInsn(method, type, bootstrap, arguments);
          }
        }
      };
    }

    /** Adds equals, hashCode or toString as a static method, with the values that Java's own have. */
    private void recordMethod(String method, String type, Object... arguments) {
      MethodVisitor code = super.visitMethod(ACC_PRIVATE | ACC_STATIC | ACC_SYNTHETIC, "direct$" + method, type, null, null);
      code.visitCode();
      List<Handle> fields = Arrays.stream(arguments).skip(2).map(Handle.class::cast).toList();
      switch (method) {
        case "equals" -> equalsMethod(code, fields);
        case "hashCode" -> hashCodeMethod(code, fields);
        default -> toStringMethod(code, fields);
      }
      code.visitMaxs(5, 2);
      code.visitEnd();
    }

    private void field(MethodVisitor code, int local, Handle field) {
      code.visitVarInsn(ALOAD, local);
      cast(code, local == 0 ? Type.getObjectType(name) : OBJECT_TYPE, Type.getObjectType(name));
      code.visitFieldInsn(GETFIELD, name, field.getName(), field.getDesc());
    }

    private void equalsMethod(MethodVisitor code, List<Handle> fields) {
      Label differ = new Label();
      code.visitVarInsn(ALOAD, 1);
      code.visitTypeInsn(INSTANCEOF, name);
      code.visitJumpInsn(IFEQ, differ);
      for (Handle field : fields) {
        field(code, 0, field);
        field(code, 1, field);
        boolean compared = isPrimitive(Type.getType(field.getDesc()));
        String operand = operand(field);
        code.visitMethodInsn(INVOKESTATIC, helper(field), compared ? "compare" : "equals", "(" + operand + operand + ")" + (compared ? "I" : "Z"), false);
        code.visitJumpInsn(compared ? IFNE : IFEQ, differ);
      }
      code.visitInsn(ICONST_1);
      code.visitInsn(IRETURN);
      code.visitLabel(differ);
      code.visitFrame(F_SAME, 0, null, 0, null);
      code.visitInsn(ICONST_0);
      code.visitInsn(IRETURN);
    }

    private void hashCodeMethod(MethodVisitor code, List<Handle> fields) {
      code.visitInsn(ICONST_0);
      for (Handle field : fields) {
        code.visitIntInsn(BIPUSH, 31);
        code.visitInsn(IMUL);
        field(code, 0, field);
        code.visitMethodInsn(INVOKESTATIC, helper(field), "hashCode", "(" + operand(field) + ")I", false);
        code.visitInsn(IADD);
      }
      code.visitInsn(IRETURN);
    }

    private void toStringMethod(MethodVisitor code, List<Handle> fields) {
      String builder = "java/lang/StringBuilder";
      code.visitTypeInsn(NEW, builder);
      code.visitInsn(DUP);
      code.visitMethodInsn(INVOKESPECIAL, builder, "<init>", "()V", false);
      String before = name.replaceFirst(".*[/$]\\d*", "") + "[";
      for (Handle field : fields) {
        append(code, builder, before + field.getName() + "=");
        field(code, 0, field);
        // The builder has no methods for byte and short.
        String operand = operand(field).replaceAll("[BS]$", "I");
        code.visitMethodInsn(INVOKEVIRTUAL, builder, "append", "(" + operand + ")L" + builder + ";", false);
        before = ", ";
      }
      append(code, builder, fields.isEmpty() ? before + "]" : "]");
      code.visitMethodInsn(INVOKEVIRTUAL, builder, "toString", "()Ljava/lang/String;", false);
      code.visitInsn(ARETURN);
    }

    private static void append(MethodVisitor code, String builder, String text) {
      code.visitLdcInsn(text);
      code.visitMethodInsn(INVOKEVIRTUAL, builder, "append", "(Ljava/lang/String;)L" + builder + ";", false);
    }

    /** The class with static methods for a field. */
    private static String helper(Handle field) {
      Type type = Type.getType(field.getDesc());
      return isPrimitive(type) ? BOXES.get(type.getSort()) : "java/util/Objects";
    }

    private static String operand(Handle field) {
      return isPrimitive(Type.getType(field.getDesc())) ? field.getDesc() : "L" + OBJECT + ";";
    }

    /**
     * Makes the class of a lambda, and leaves an object of it on the stack.
     *
     * @param method the method of the functional interface
     * @param captured types of what it captures, to the interface
     * @param erased the type of {@code method}
     * @param body what it calls
     * @param actual the type with which {@code method} is called
     */
    private void lambda(MethodVisitor site, String method, Type captured, Type erased, Handle body, Type actual) {
      String lambda = name + "$$Lambda" + count++;
      Type[] fields = captured.getArgumentTypes();
      ClassWriter made = new ClassWriter(ClassWriter.COMPUTE_MAXS);
      made.visit(V17, ACC_FINAL | ACC_SUPER | ACC_SYNTHETIC, lambda, null, OBJECT, new String[] {captured.getReturnType().getInternalName()});
      made.visitNestHost(host);
      String constructor = Type.getMethodDescriptor(Type.VOID_TYPE, fields);
      MethodVisitor code = made.visitMethod(0, "<init>", constructor, null, null);
      code.visitCode();
      code.visitVarInsn(ALOAD, 0);
      code.visitMethodInsn(INVOKESPECIAL, OBJECT, "<init>", "()V", false);
      int slot = 1;
      for (int k = 0; k < fields.length; k++) {
        made.visitField(ACC_PRIVATE | ACC_FINAL, "c" + k, fields[k].getDescriptor(), null, null);
        code.visitVarInsn(ALOAD, 0);
        code.visitVarInsn(fields[k].getOpcode(ILOAD), slot);
        slot += fields[k].getSize();
        code.visitFieldInsn(PUTFIELD, lambda, "c" + k, fields[k].getDescriptor());
      }
      end(code, RETURN);

      code = made.visitMethod(ACC_PUBLIC, method, erased.getDescriptor(), null, null);
      code.visitCode();
      call(code, lambda, fields, erased, body, actual);

      // One object will do where nothing is captured.
      boolean one = fields.length == 0;
      String self = "L" + lambda + ";";
      String make = Type.getMethodDescriptor(Type.getType(self), fields);
      code = made.visitMethod(ACC_STATIC, one ? "<clinit>" : "make", one ? "()V" : make, null, null);
      code.visitCode();
      code.visitTypeInsn(NEW, lambda);
      code.visitInsn(DUP);
      slot = 0;
      for (Type field : fields) {
        code.visitVarInsn(field.getOpcode(ILOAD), slot);
        slot += field.getSize();
      }
      code.visitMethodInsn(INVOKESPECIAL, lambda, "<init>", constructor, false);
      if (one) {
        made.visitField(ACC_STATIC | ACC_FINAL, "ONE", self, null, null);
        code.visitFieldInsn(PUTSTATIC, lambda, "ONE", self);
        site.visitFieldInsn(GETSTATIC, lambda, "ONE", self);
      } else {
        site.visitMethodInsn(INVOKESTATIC, lambda, "make", make, false);
      }
      end(code, one ? RETURN : ARETURN);
      added.put(lambda, made.toByteArray());
      hosts.put(lambda, host);
    }
  }

  /** Notes the attributes of an annotation, each by its name and value, or the values of an array. */
  private static final class Attributes extends AnnotationVisitor {
    private final List<Object> values;
    private final boolean named;

    Attributes(AnnotationVisitor copy, List<Object> values, boolean named) {
      super(ASM9, copy);
      this.values = values;
      this.named = named;
    }

    private void note(String name, Object value) {
      if (named) {
        values.add(name);
      }
      values.add(value);
    }

    @Override
    public void visit(String name, Object value) {
      note(name, value);
      super.visit(name, value);
    }

    @Override
    public void visitEnum(String name, String descriptor, String value) {
      note(name, value);
      super.visitEnum(name, descriptor, value);
    }

    @Override
    public AnnotationVisitor visitArray(String name) {
      List<Object> array = new ArrayList<>();
      note(name, array);
      return new Attributes(super.visitArray(name), array, false);
    }
  }

  /** Leaves a value on the stack; lists are arrays, of strings or classes where all are. */
  private static void push(MethodVisitor code, Object value) {
    if (value instanceof List<?> list) {
      boolean strings = !list.isEmpty() && list.stream().allMatch(String.class::isInstance);
      boolean types = !list.isEmpty() && list.stream().allMatch(Type.class::isInstance);
      code.visitLdcInsn(list.size());
      code.visitTypeInsn(ANEWARRAY, strings ? "java/lang/String" : types ? "java/lang/Class" : OBJECT);
      for (int k = 0; k < list.size(); k++) {
        code.visitInsn(DUP);
        code.visitLdcInsn(k);
        push(code, list.get(k));
        code.visitInsn(AASTORE);
      }
    } else if (value == null) {
      code.visitInsn(ACONST_NULL);
    } else {
      code.visitLdcInsn(value instanceof Boolean truth ? (Object) (truth ? 1 : 0) : value);
      if (value instanceof Boolean || value instanceof Integer) {
        convert(code, value instanceof Boolean ? Type.BOOLEAN_TYPE : Type.INT_TYPE, OBJECT_TYPE, OBJECT_TYPE);
      }
    }
  }

  /** Calls what a lambda stands for. */
  private static void call(MethodVisitor code, String lambda, Type[] fields, Type erased, Handle body, Type actual) {
    boolean creates = body.getTag() == H_NEWINVOKESPECIAL;
    boolean isStatic = body.getTag() == H_INVOKESTATIC;
    Type owner = Type.getObjectType(body.getOwner());
    Type[] declared = Type.getArgumentTypes(body.getDesc());
    Type[] expected = declared;
    if (!creates && !isStatic) {
      expected = new Type[declared.length + 1];
      expected[0] = owner;
      System.arraycopy(declared, 0, expected, 1, declared.length);
    }
    if (creates) {
      code.visitTypeInsn(NEW, body.getOwner());
      code.visitInsn(DUP);
    }
    for (int k = 0; k < fields.length; k++) {
      code.visitVarInsn(ALOAD, 0);
      code.visitFieldInsn(GETFIELD, lambda, "c" + k, fields[k].getDescriptor());
    }
    Type[] given = erased.getArgumentTypes();
    int slot = 1;
    for (int k = 0; k < given.length; k++) {
      code.visitVarInsn(given[k].getOpcode(ILOAD), slot);
      slot += given[k].getSize();
      convert(code, given[k], actual.getArgumentTypes()[k], expected[fields.length + k]);
    }
    int virtual = body.isInterface() ? INVOKEINTERFACE : INVOKEVIRTUAL;
    code.visitMethodInsn(creates ? INVOKESPECIAL : isStatic ? INVOKESTATIC : virtual, body.getOwner(), body.getName(), body.getDesc(), body.isInterface());
    Type result = creates ? owner : Type.getReturnType(body.getDesc());
    Type wanted = erased.getReturnType();
    if (wanted.getSort() != Type.VOID) {
      convert(code, result, wanted, wanted);
    } else if (result.getSort() != Type.VOID) {
      code.visitInsn(result.getSize() == 2 ? POP2 : POP);
    }
    end(code, wanted.getOpcode(IRETURN));
  }

  private static void end(MethodVisitor code, int instruction) {
    code.visitInsn(instruction);
    code.visitMaxs(0, 0);
    code.visitEnd();
  }

  private static boolean isPrimitive(Type type) {
    return type.getSort() < Type.ARRAY;
  }

  /** Converts the value on the stack, which is known to be {@code actual} if that is a reference. */
  private static void convert(MethodVisitor code, Type from, Type actual, Type to) {
    if (isPrimitive(from)) {
      if (isPrimitive(to)) {
        widen(code, from, to);
      } else {
        String box = BOXES.get(from.getSort());
        code.visitMethodInsn(INVOKESTATIC, box, "valueOf", "(" + from.getDescriptor() + ")L" + box + ";", false);
      }
      return;
    }
    Type known = isPrimitive(actual) ? from : actual;
    cast(code, from, known);
    if (!isPrimitive(to)) {
      cast(code, known, to);
      return;
    }
    int sort = Math.max(BOXES.indexOf(known.getInternalName()), 0);
    Type primitive = PRIMITIVES.get(sort == 0 ? to.getSort() : sort);
    String box = BOXES.get(primitive.getSort());
    cast(code, known, Type.getObjectType(box));
    code.visitMethodInsn(INVOKEVIRTUAL, box, primitive.getClassName() + "Value", "()" + primitive.getDescriptor(), false);
    widen(code, primitive, to);
  }

  private static void cast(MethodVisitor code, Type from, Type to) {
    if (!from.equals(to) && !to.equals(OBJECT_TYPE)) {
      code.visitTypeInsn(CHECKCAST, to.getInternalName());
    }
  }

  private static void widen(MethodVisitor code, Type from, Type to) {
    boolean whole = from.getSort() <= Type.INT;
    if (from.equals(to) || whole && to.equals(Type.INT_TYPE)) {
      return;
    }
    if (whole) {
      code.visitInsn(to.equals(Type.LONG_TYPE) ? I2L : to.equals(Type.FLOAT_TYPE) ? I2F : I2D);
    } else if (from.equals(Type.LONG_TYPE)) {
      code.visitInsn(to.equals(Type.FLOAT_TYPE) ? L2F : L2D);
    } else {
      code.visitInsn(F2D);
    }
  }
}
