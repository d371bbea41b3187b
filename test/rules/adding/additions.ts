/** One example of each thing that people add, as somebody would write it. */

/** A text that is inserted before the first `before` that follows `after`. */
export interface Insertion {
  /** Relative to `src`, as all files here. */
  file: string
  after?: string
  before: string
  text: string
}

export interface Addition {
  /** The first column of its row in ARCHITECTURE.md, "Which files a change touches". */
  row: string
  /** The most files of `src` that it may take; texts of the catalogue do not count. */
  mostFiles: number
  newFiles: Readonly<Record<string, string>>
  insertions: readonly Insertion[]
}

const presets = 'service/provider-types/presets.ts'

const provider: Addition = {
  row: 'an OpenAI-compatible provider',
  mostFiles: 1,
  newFiles: {},
  insertions: [
    {
      file: presets,
      after: 'const presets:',
      before: '\n]\n',
      text: `
  {
    ...openAiWire,
    type: 'compatible',
    name: 'Compatible',
    baseUrl: 'https://api.compatible.example/v1',
    keyUrl: null,
    documentation: { url: 'https://compatible.example/docs', comparedAt: null },
  },`,
    },
  ],
}

/** A vendor that takes and gives one text. */
const wire = `import { HttpProvider } from '../../providers/http-provider.ts'
import { EventReader } from '../../providers/sse.ts'
import type { EventConsumer, Wire } from '../../providers/wire.ts'

const reader: EventConsumer = {
  isEnd: (data) => data === 'end',
  append: (chunk) => chunk,
}

export const acme: Wire = {
  lacks: ['vision'],
  create: (connection) =>
    new HttpProvider(connection, {
      chatRequest: ({ body, model }, isStreamed) => ({
        path: '/say',
        body: JSON.stringify({ model, text: body.messages.at(-1)?.content }),
        isStreamed,
      }),
      headers: (_request, key) => ({ 'content-type': 'application/json', 'acme-key': key ?? '' }),
      isStream: () => false,
      newEvents: () => new EventReader(),
      newReader: () => reader,
      readWhole: (body) => ({
        choices: [{ index: 0, delta: { content: body }, finish_reason: 'stop' }],
        usage: null,
      }),
      readRefusal: (status) => ({
        kind: 'unavailable',
        message: \`the provider answered with status \${status}\`,
        upstreamMessage: null,
      }),
      listModels: async () => ['one'],
    }),
}
`

const family: Addition = {
  row: 'a provider with its own wire',
  mostFiles: 3,
  newFiles: { 'service/families/acme/acme.ts': wire },
  insertions: [
    {
      file: 'service/families/upstreams.ts',
      before: 'import { anthropic }',
      text: "import { acme } from './acme/acme.ts'\n",
    },
    {
      file: 'service/families/upstreams.ts',
      after: 'const wires',
      before: '\n} as const',
      text: '\n  acme,',
    },
    {
      file: presets,
      after: 'const presets:',
      before: '\n]\n',
      text: `
  {
    type: 'acme',
    wire: 'acme',
    name: 'Acme',
    baseUrl: 'https://api.acme.example',
    keyRule: 'optional',
    keyUrl: null,
    documentation: { url: 'https://docs.acme.example', comparedAt: null },
    isLocal: false,
    isSelfHosted: false,
    options: [],
  },`,
    },
  ],
}

const strategy: Addition = {
  row: 'a strategy',
  mostFiles: 4,
  newFiles: {
    'service/routing/strategies/alphabetical.ts': `import type { Strategy } from './strategy.ts'

export const alphabetical: Strategy = {
  rank: (contenders) => contenders.toSorted((a, b) => (a.model < b.model ? -1 : 1)),
  why: () => 'First by name',
  flip: () => null,
}
`,
  },
  insertions: [
    {
      file: 'service/routing/strategies/index.ts',
      before: 'import { adaptive }',
      text: "import { alphabetical } from './alphabetical.ts'\n",
    },
    {
      file: 'service/routing/strategies/index.ts',
      after: 'const strategies',
      before: '  priority,\n',
      text: '  alphabetical,\n',
    },
    {
      file: 'shared/routers/strategy-names.ts',
      after: 'const strategyNames',
      before: "  'priority',",
      text: "  'alphabetical',\n",
    },
    {
      file: 'shared/routers/strategies.ts',
      after: 'const strategyProfiles',
      before: '  priority: {',
      text: `  alphabetical: {
    ...plain,
    label: 'Alphabetical',
    description: 'Uses the first model by name.',
    explores: true,
  },
`,
    },
  ],
}

const endpoint: Addition = {
  row: 'an endpoint',
  mostFiles: 4,
  newFiles: {
    'service/http/routes/dialogues.ts': `import type { FastifyInstance } from 'fastify'
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import { chatEndpoint, type ChatEndpointOptions } from '../answers/chat-endpoint.ts'
import { completionOf } from '../answers/chat-exchange.ts'

export function dialoguesRoute(app: FastifyInstance, options: ChatEndpointOptions): void {
  chatEndpoint(app, options, {
    path: '/dialogues',
    form: 'chat',
    read: ({ body }) => ({ body: body as ChatRequest }),
    completion: completionOf,
  })
}
`,
  },
  insertions: [
    {
      file: 'service/http/app.ts',
      before: 'import { embeddingsRoute',
      text: "import { dialoguesRoute } from './routes/dialogues.ts'\n",
    },
    {
      file: 'service/http/app.ts',
      after: 'function routerRoutes',
      before: '  completionsRoute(',
      text: '  dialoguesRoute(app, options)\n',
    },
    {
      file: 'service/http/openapi/operations.ts',
      after: 'const operations',
      before: '\n]\n',
      text: `
  {
    method: 'post',
    path: '/dialogues',
    operationId: 'createDialogue',
    summary: 'Answers a dialogue',
    form: 'chat',
    answers: ['ChatCompletion', 'Preview'],
  },`,
    },
  ],
}

const page: Addition = {
  row: 'a page',
  mostFiles: 4,
  newFiles: {
    'renderer/src/pages/diary/diary-page.tsx': `export function DiaryPage() {
  return <h1>Diary</h1>
}
`,
  },
  insertions: [
    {
      file: 'renderer/src/pages.tsx',
      after: 'const routeTree',
      before: "  page('/models'",
      text: "  page('/diary', () => import('./pages/diary/diary-page.tsx'), 'DiaryPage'),\n",
    },
    {
      file: 'renderer/src/shell/rail.tsx',
      after: 'const icons',
      before: "  '/settings'",
      text: "  '/diary': ScrollText,\n",
    },
    {
      file: 'shared/app/pages.ts',
      after: 'export const pages',
      before: "  { path: '/settings'",
      text: "  { path: '/diary', title: 'Diary', keywords: 'days' },\n",
    },
  ],
}

const setting: Addition = {
  row: 'a setting',
  mostFiles: 3,
  newFiles: {},
  insertions: [
    {
      file: 'shared/app/settings.ts',
      after: 'export const settings',
      before: '  theme: {',
      text: `  motto: {
    schema: z.string().max(80),
    default: '',
    card: 'look',
    label: 'Motto',
  },
`,
    },
  ],
}

const column: Addition = {
  row: 'a column of the ledger',
  mostFiles: 4,
  newFiles: {},
  insertions: [
    {
      file: 'service/storage/sql/schema-steps.ts',
      after: 'const schemaSteps',
      before: ']\n',
      text: `  {
    version: 900_000,
    readableFrom: 10,
    sql: 'ALTER TABLE requests ADD COLUMN region TEXT',
  },
`,
    },
    {
      file: 'shared/entities.ts',
      after: 'export interface RequestRecord',
      before: '\n}\n',
      text: '\n  region: string | null',
    },
    {
      file: 'service/storage/sql/ledger-row.ts',
      after: 'const columnOf',
      before: '\n}\n',
      text: "\n  region: ['region', 'TEXT', (record) => record.region],",
    },
    {
      file: 'service/chat/metering/meter.ts',
      after: 'record(status',
      before: '      tag: ',
      text: "      region: 'here',\n",
    },
  ],
}

export const additions: readonly Addition[] = [
  provider,
  family,
  strategy,
  endpoint,
  page,
  setting,
  column,
]
