/** A check of docs/reliability.md or docs/cluster.md: what it runs, and the heading of its figures. */

/** One command of a check. Its figures come from the tests that it runs, or from a bench. */
export type Step =
  /** Files of vitest; with `title`, only tests whose name matches. */
  | { tests: readonly string[]; title?: string }
  /** A file of e2e/, without its ending. */
  | { spec: string }
  /** A file of bench/, without its ending. */
  | { bench: string }
  /** A script of package.json, and its arguments. */
  | { script: string; args: readonly string[] }

export interface Check {
  /** Number of its row in the page. */
  number: number
  /** Name on the command line. */
  name: string
  /** What is attacked or broken, and what must hold. */
  target: string
  steps: readonly Step[]
  /** Packages of the system without which its full form cannot run. */
  needs?: readonly string[]
  limitMinutes: number
}
