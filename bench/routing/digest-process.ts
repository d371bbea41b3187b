/** Prints the fingerprint of made-up decisions: `node digest-process.ts COUNT SEED`, in a process of its own. */
import { decisionsDigest } from './decisions-digest.ts'
import { madeUpDecisions } from './made-up-requests.ts'

const [count, seed] = process.argv.slice(2).map(Number)
process.stdout.write(decisionsDigest(madeUpDecisions(count ?? 0, seed ?? 0)))
