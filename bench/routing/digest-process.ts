/** Prints the digest of generated decisions: `node digest-process.ts COUNT SEED`, as a separate process. */
import { decisionsDigest } from './decisions-digest.ts'
import { madeUpDecisions } from './made-up-requests.ts'

const [count, seed] = process.argv.slice(2).map(Number)
process.stdout.write(decisionsDigest(madeUpDecisions(count ?? 0, seed ?? 0)))
