package io.rollcall.loadbalancer;

import java.util.List;
import org.springframework.cloud.client.ServiceInstance;

/**
 * Rendezvous hashing (Thaler and Ravishankar, 1998): a key goes to the instance that scores highest for it. When an instance
 * goes, only its own keys move, evenly to the others; when one comes, it takes its fair share and nothing else moves.
 * Every caller comes to the same answer without knowing of the others.
 */
final class Hash {

    private static final long FNV_OFFSET = 0xCBF29CE484222325L;

    private static final long FNV_PRIME = 0x100000001B3L;

    private Hash() {}

    /** The scores' instance-dependent parts, to be worked out once per list. */
    static long[] seeds(List<ServiceInstance> instances) {
        long[] seeds = new long[instances.size()];
        for (int i = 0; i < seeds.length; i++) {
            ServiceInstance instance = instances.get(i);
            seeds[i] = mix(fnv(instance.getHost()) + instance.getPort());
        }
        return seeds;
    }

    /** The index of the instance for a key. */
    static int place(String key, long[] seeds) {
        long hash = fnv(key);
        int best = 0;
        long bestScore = Long.MIN_VALUE;
        for (int i = 0; i < seeds.length; i++) {
            long score = mix(hash ^ seeds[i]);
            if (score > bestScore) {
                best = i;
                bestScore = score;
            }
        }
        return best;
    }

    /** FNV-1a with 64 bits, over UTF-16 units. */
    private static long fnv(String text) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FNV_PRIME;
        }
        return hash;
    }

    /** The finalizer of MurmurHash3: every bit of the input changes half of the output's. */
    private static long mix(long value) {
        long mixed = (value ^ (value >>> 33)) * 0xFF51AFD7ED558CCDL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return mixed ^ (mixed >>> 33);
    }
}
