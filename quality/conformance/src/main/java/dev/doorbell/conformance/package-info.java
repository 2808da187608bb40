/**
 * The conformance suite: what a verbs device has to do, written once against {@code dev.doorbell.verbs}, run on every
 * kernel and every driver.
 *
 * <pre>
 *   cases/   ConformanceCase  = name + where it comes from + what it needs + body(Bench)
 *               |                                                    |
 *               v                                                    v
 *   Suite.run(fabric, cases) ── a thread and a deadline a case ──► Bench: sides A and B, pairs, buffers, checks, draws
 *               |                                                    |
 *               v                                                    v
 *   CaseResult: PASS, FAIL, SKIP(reason), DIFFERENCE(reason)     Fabric: which devices A and B are
 *               |                                                one device | two over a link in memory | rxe | ...
 *               v
 *   report/  results/FABRIC.txt (checked in)  ──►  docs/conformance.md
 * </pre>
 *
 * <p><b>Adding a case.</b> Put it into the class of {@code cases} whose subject it shares, or make a new class and name it in
 * {@link dev.doorbell.conformance.cases.AllCases}. A case
 * <ul>
 *   <li>uses the public API only, and asks the {@link dev.doorbell.conformance.bench.Bench} for all that has to be closed;
 *   <li>has a name that never changes: {@code rc.write.imm.size-255..257@1024}; what follows {@code @} is a variation, and the
 *       document shows variations in one row;
 *   <li>says {@link dev.doorbell.conformance.ConformanceCase.Builder#from where it comes from} (man page, rule of
 *       docs/spec/transport.md, pyverbs test) and
 *       {@link dev.doorbell.conformance.ConformanceCase.Builder#needs what it needs};
 *   <li>says every expectation through {@link dev.doorbell.conformance.bench.Check}, which counts it, and waits only
 *       through the bench, whose waits end;
 *   <li>accepts what another kernel is known to do differently as an {@link dev.doorbell.conformance.bench.Allowance} with
 *       its reason, never by checking less.
 * </ul>
 * Then run {@code ConformanceTest}; when its last test says that the document is out of date, run it as it says. A case that
 * guards against a mistake worth naming deserves a saboteur: a file in {@code src/test/resources/saboteurs}.
 *
 * <p>Reading order: {@link dev.doorbell.conformance.ConformanceCase}, {@link dev.doorbell.conformance.bench.Bench},
 * {@link dev.doorbell.conformance.Suite}, then any class of {@code cases}.
 */
@NullMarked
package dev.doorbell.conformance;

import org.jspecify.annotations.NullMarked;
