/** Finds where a source opens a connection, and whether `openConnection` does. */
import { parseSync, Visitor, type ImportDeclarationSpecifier, type Node } from 'oxc-parser'

/** Names of each module that open a connection, or ask a name server. */
const openers: Readonly<Record<string, RegExp>> = {
  net: /^(connect|createConnection|Socket)$/,
  tls: /^connect$/,
  http: /^(get|request|Agent|ClientRequest|globalAgent)$/,
  https: /^(get|request|Agent|globalAgent)$/,
  http2: /^connect$/,
  dgram: /./,
  dns: /^(lookup|lookupService|resolve.*|reverse|Resolver|promises)$/,
  'dns/promises': /./,
  inspector: /./,
  undici: /^(?!(buildConnector)$)/,
  pg: /^(Client|Pool|native)$/,
  ioredis: /./,
  electron: /^(net|crashReporter|webContents|BrowserView|WebContentsView)$/,
  ws: /./,
  '@aws-sdk/credential-provider-ini': /./,
  '@aws-sdk/credential-provider-node': /./,
}
const globals = new Set(['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'])
/** Methods of electron-updater that ask the feed. */
const methods = new Set(['checkForUpdates', 'checkForUpdatesAndNotify', 'downloadUpdate'])

export interface Opening {
  line: number
  /** `net.connect`, `fetch`. */
  what: string
  /** The id that `openConnection` gets: a literal, or the name of a variable; null outside of it. */
  id: string | null
}

interface Scope {
  /** What the file's imports are: the module, and the name in it; null for the whole module. */
  names: Map<string, { module: string; name: string | null }>
  /** Parameters named like a global, such as a `fetch` that is handed over; the linter knows which is meant. */
  own: Set<string>
}

/** @param source  TypeScript */
export function findOpenings(file: string, source: string): Opening[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const scope: Scope = { names: new Map(), own: new Set() }
  const found: Opening[] = []
  const ids: string[] = []
  const visitCallee = (callee: Node) => {
    const line = source.slice(0, callee.start).split('\n').length
    for (const what of openedBy(callee, scope)) found.push({ line, what, id: ids.at(-1) ?? null })
  }
  const noteParameters = ({ params }: { params: readonly Node[] }) => {
    for (const name of params.flatMap(namesIn)) scope.own.add(name)
  }
  new Visitor({
    ImportDeclaration({ source: { value }, specifiers, importKind }) {
      if (importKind === 'type') return
      for (const specifier of specifiers) {
        const { name: local } = specifier.local
        const name = importedName(specifier)
        if (name !== undefined) scope.names.set(local, { module: moduleOf(value), name })
      }
    },
    VariableDeclarator({ id, init }) {
      const awaited = init?.type === 'AwaitExpression' ? init.argument : init
      if (awaited?.type !== 'ImportExpression' || awaited.source.type !== 'Literal') return
      nameImports(id, moduleOf(String(awaited.source.value)), scope)
    },
    CallExpression(node) {
      visitCallee(node.callee)
      if (!isOpenConnection(node.callee)) return
      const [id] = node.arguments
      if (id?.type === 'Literal') ids.push(String(id.value))
      else ids.push(id?.type === 'Identifier' ? id.name : '?')
    },
    'CallExpression:exit'({ callee }) {
      if (isOpenConnection(callee)) ids.pop()
    },
    ArrowFunctionExpression: noteParameters,
    FunctionDeclaration: noteParameters,
    FunctionExpression: noteParameters,
    NewExpression: ({ callee }) => visitCallee(callee),
  }).visit(program)
  return found
}

/** What a call of this opens; nothing for most. */
function openedBy(callee: Node, { names, own }: Scope): string[] {
  if (callee.type === 'Identifier') {
    const known = names.get(callee.name)
    if (known) return known.name === null ? [] : openerOf(known.module, known.name)
    return globals.has(callee.name) && !own.has(callee.name) ? [callee.name] : []
  }
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return []
  const { object, property } = callee
  const ofUpdater = methods.has(property.name) ? [`updater.${property.name}`] : []
  if (object.type !== 'Identifier') return ofUpdater
  const known = names.get(object.name)
  if (known) return openerOf(known.module, known.name ?? property.name)
  return object.name === 'globalThis' && globals.has(property.name) ? [property.name] : ofUpdater
}

function openerOf(module: string, name: string): string[] {
  return openers[module]?.test(name) ? [`${module}.${name}`] : []
}

/** `const { fromIni } = await import('…')` and `const undici = await import('…')` */
function nameImports(node: Node, module: string, { names }: Scope): void {
  if (node.type === 'Identifier') names.set(node.name, { module, name: null })
  if (node.type !== 'ObjectPattern') return
  for (const property of node.properties) {
    if (property.type !== 'Property') continue
    const { key, value } = property
    if (key.type === 'Identifier' && value.type === 'Identifier')
      names.set(value.name, { module, name: key.name })
  }
}

/** Null for a whole module, undefined for a type. */
function importedName(specifier: ImportDeclarationSpecifier): string | null | undefined {
  if (specifier.type !== 'ImportSpecifier') return null
  const { imported, importKind } = specifier
  if (importKind === 'type') return undefined
  return imported.type === 'Identifier' ? imported.name : null
}

/** The names that a parameter declares. */
function namesIn(pattern: Node): string[] {
  if (pattern.type === 'Identifier') return [pattern.name]
  if (pattern.type === 'AssignmentPattern') return namesIn(pattern.left)
  if (pattern.type !== 'ObjectPattern') return []
  return pattern.properties.flatMap((one) => (one.type === 'Property' ? namesIn(one.value) : []))
}

function isOpenConnection(callee: Node): boolean {
  return callee.type === 'Identifier' && callee.name === 'openConnection'
}

function moduleOf(specifier: string): string {
  return specifier.replace(/^node:/, '')
}
