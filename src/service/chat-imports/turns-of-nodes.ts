/**
 * Makes questions and answers of the nodes that other programs store. An answer is the run of steps up to the next
 * question. Where a run forks, each end is an answer of its own that begins with the shared steps. Each answer follows
 * a question: a stand-in without text where the other program has none, such as before a greeting.
 */
import type { ImportedNode, ImportedTurn } from './imported.ts'
import { complete } from './read-fields.ts'

/** Longer shared beginnings are an answer of their own, so that a run with many forks is not copied for each. */
const longestShared = 200

interface Tree {
  roots: ImportedNode[]
  children: Map<string, ImportedNode[]>
}

/** @returns turns with parents before their children */
export function turnsOfNodes(nodes: readonly ImportedNode[]): ImportedTurn[] {
  const { roots, children } = treeOf(nodes)
  const turns: ImportedTurn[] = []
  const questions = new Set<string | null>()
  const add = (turn: ImportedTurn) => {
    if (turn.role === 'user') questions.add(turn.id)
    turns.push(turn)
  }
  const waiting: { run: ImportedNode[]; parentId: string | null }[] = []
  const begin = (
    from: readonly ImportedNode[],
    parentId: string | null,
    run: ImportedNode[] = [],
  ) => {
    for (const node of from.toReversed()) waiting.push({ run: [...run, node], parentId })
  }
  begin(roots, null)
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { run, parentId } = next
    const following = extended(run, children)
    const last = run.at(-1)
    if (!last) continue
    const isFork = last.role !== 'user' && following.length > 1
    const isCut = following.some(({ role }) => role === 'user') || run.length > longestShared
    if (isFork && !isCut) begin(following, parentId, run)
    else {
      const turn = turnOf(run, last, parentId)
      const isAsked = turn.role === 'user' || questions.has(parentId)
      const standIn = isAsked ? null : standInBefore(turn)
      if (standIn && !questions.has(standIn.id)) add(standIn)
      add(standIn ? { ...turn, parentId: standIn.id } : turn)
      begin(following, last.id)
    }
  }
  return turns
}

/** Adds to the run what follows it alone; returns what follows its end. */
function extended(run: ImportedNode[], children: Tree['children']): readonly ImportedNode[] {
  let last = run.at(-1)
  if (!last || last.role === 'user') return children.get(last?.id ?? '') ?? []
  for (;;) {
    const following: readonly ImportedNode[] = children.get(last.id) ?? []
    const [only] = following
    if (!only || following.length > 1 || only.role === 'user') return following
    run.push(only)
    last = only
  }
}

function turnOf(
  run: readonly ImportedNode[],
  last: ImportedNode,
  parentId: string | null,
): ImportedTurn {
  const texts = run.map(({ text }) => text).filter((text) => text.trim() !== '')
  return {
    id: last.id,
    parentId,
    role: last.role === 'user' ? 'user' : 'assistant',
    // The spaces at the beginning of a message may be those of code.
    text: texts.length > 1 ? texts.map((text) => text.trim()).join('\n\n') : (texts[0] ?? ''),
    model: run.findLast(({ model }) => model !== null)?.model ?? null,
    createdAtMs: run.findLast(({ createdAtMs }) => createdAtMs !== null)?.createdAtMs ?? null,
    details: run.flatMap(({ details }) => details),
    files: run.flatMap(({ files }) => files),
    ending: last.ending,
    isSetAside: last.isSetAside,
  }
}

/** The same for all answers in this place, and in a second import. */
function standInBefore({ parentId, createdAtMs }: ImportedTurn): ImportedTurn {
  const id = `${parentId ?? ''}~question`
  const empty = { text: '', model: null, details: [], files: [], ending: complete }
  return { ...empty, id, parentId, role: 'user', createdAtMs, isSetAside: null }
}

/** The visible nodes. What hangs under a hidden or unknown node hangs under the nearest visible one above it. */
function treeOf(given: readonly ImportedNode[]): Tree {
  const nodes = withUniqueIds(given)
  const all = new Map(nodes.map((node) => [node.id, node]))
  const visible = nodes.filter(({ role }) => role !== 'hidden')
  const parents = new Map(visible.map((node) => [node.id, visibleParent(node, all)]))
  const children = new Map<string, ImportedNode[]>()
  const roots: ImportedNode[] = []
  for (const node of visible) {
    const parent = parents.get(node.id) ?? null
    if (parent === null) roots.push(node)
    else (children.get(parent) ?? children.set(parent, []).get(parent))?.push(node)
  }
  return { roots: [...roots, ...cycleBeginnings(visible, roots, { children, parents })], children }
}

function visibleParent(
  { id, parentId }: ImportedNode,
  all: ReadonlyMap<string, ImportedNode>,
): string | null {
  const seen = new Set([id])
  let parent = parentId === null ? undefined : all.get(parentId)
  while (parent && !seen.has(parent.id)) {
    if (parent.role !== 'hidden') return parent.id
    seen.add(parent.id)
    parent = parent.parentId === null ? undefined : all.get(parent.parentId)
  }
  return null
}

/** Some exports have a message twice. Another one under the same id gets an id of its own. */
function withUniqueIds(nodes: readonly ImportedNode[]): ImportedNode[] {
  const known = new Map<string, ImportedNode>()
  for (const node of nodes) {
    let { id } = node
    const isSame = (other: ImportedNode) => other.role === node.role && other.text === node.text
    for (let other = known.get(id); other && !isSame(other); other = known.get(id)) id += '~'
    if (!known.has(id)) known.set(id, { ...node, id })
  }
  return [...known.values()]
}

/** Nodes that name each other as parents are reached from no root: the first of each circle begins there. */
function cycleBeginnings(
  visible: readonly ImportedNode[],
  roots: readonly ImportedNode[],
  { children, parents }: Pick<Tree, 'children'> & { parents: ReadonlyMap<string, string | null> },
): ImportedNode[] {
  const reached = new Set<string>()
  const reach = (from: ImportedNode) => {
    const waiting = [from]
    for (let node = waiting.pop(); node; node = waiting.pop()) {
      if (reached.has(node.id)) continue
      reached.add(node.id)
      waiting.push(...(children.get(node.id) ?? []))
    }
  }
  roots.forEach(reach)
  const beginnings = []
  for (const node of visible) {
    if (reached.has(node.id)) continue
    const parent = parents.get(node.id) ?? ''
    const siblings = children.get(parent) ?? []
    children.set(
      parent,
      siblings.filter(({ id }) => id !== node.id),
    )
    beginnings.push(node)
    reach(node)
  }
  return beginnings
}

/** The turn at the end of the shown branch; null without turns. */
export function activeTurn(
  turns: readonly ImportedTurn[],
  nodes: readonly ImportedNode[],
  activeNodeId: string | null,
): ImportedTurn | null {
  const all = new Map(nodes.map((node) => [node.id, node]))
  const byId = new Map(turns.map((turn) => [turn.id, turn]))
  const walk = (next: (node: ImportedNode) => ImportedNode | undefined) => {
    const seen = new Set<string>()
    let node = activeNodeId === null ? undefined : all.get(activeNodeId)
    for (; node && !byId.has(node.id) && !seen.has(node.id); node = next(node)) seen.add(node.id)
    return node && byId.get(node.id)
  }
  const firstChildren = new Map(nodes.toReversed().map((node) => [node.parentId, node]))
  // A step in the middle of an answer leads down to its end, a hidden one at the end leads up.
  const named =
    walk(({ id }) => firstChildren.get(id)) ?? walk(({ parentId }) => all.get(parentId ?? ''))
  return named ?? newestOf(leavesOf(turns))
}

function leavesOf(turns: readonly ImportedTurn[]): ImportedTurn[] {
  const parents = new Set(turns.map(({ parentId }) => parentId))
  return turns.filter(({ id }) => !parents.has(id))
}

function newestOf(turns: readonly ImportedTurn[]): ImportedTurn | null {
  let newest: ImportedTurn | null = null
  for (const turn of turns) {
    if ((turn.createdAtMs ?? 0) >= (newest?.createdAtMs ?? 0)) newest = turn
  }
  return newest
}
