package io.rollcall.endtoend;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** Walks from beans to all objects of Rollcall's classes that they refer to, directly, by collections or by each other. */
final class ReachableObjects {

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private final Deque<Object> next = new ArrayDeque<>();

    private ReachableObjects(Collection<?> roots) {
        roots.forEach(this::add);
        while (!next.isEmpty()) {
            visit(next.poll());
        }
    }

    static List<Object> from(Collection<?> roots) {
        return new ReachableObjects(roots)
                .seen.stream().filter(ReachableObjects::isOurs).toList();
    }

    private static boolean isOurs(Object object) {
        return object.getClass().getName().startsWith("io.rollcall.");
    }

    private void add(Object object) {
        boolean container = object instanceof Collection<?>
                || object instanceof Map<?, ?>
                || object instanceof Object[]
                || object instanceof AtomicReference<?>;
        if (object != null && (container || isOurs(object)) && seen.add(object)) {
            next.add(object);
        }
    }

    private void visit(Object object) {
        if (object instanceof Collection<?> collection) {
            Arrays.asList(collection.toArray()).forEach(this::add);
        } else if (object instanceof Map<?, ?> map) {
            Arrays.asList(map.values().toArray()).forEach(this::add);
            Arrays.asList(map.keySet().toArray()).forEach(this::add);
        } else if (object instanceof Object[] array) {
            for (Object element : array) {
                add(element);
            }
        } else if (object instanceof AtomicReference<?> reference) {
            add(reference.get());
        } else {
            fields(object, object.getClass());
        }
    }

    private void fields(Object object, Class<?> type) {
        if (type == null || !type.getName().startsWith("io.rollcall.")) {
            return;
        }
        for (Field field : type.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                try {
                    field.setAccessible(true);
                    add(field.get(object));
                } catch (IllegalAccessException ex) {
                    throw new IllegalStateException(ex);
                }
            }
        }
        fields(object, type.getSuperclass());
    }
}
