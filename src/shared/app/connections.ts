/**
 * Every connection that Modelport can open: when, to whom, and who decides. `openConnection` refuses all others; the list
 * in Settings and docs/privacy.md are made from this table.
 */
import { t } from '../strings/strings.ts'
import type { SettingsSectionName } from './settings-sections.ts'

export interface Connection {
  title: string
  /** When it is opened. */
  when: string
  /** To whom, in words. */
  to: string
  /** Addresses that are the same for everybody: `models.dev`, `*.hf.co`, `127.0.0.1:1234`. */
  hosts: readonly string[]
  /**
   * Who decides: a switch in the list (the setting `connectionsOff`), only another setting, an option of
   * `modelport serve`, or nobody, because it follows the others or stays on this computer.
   */
  decidedBy: 'list' | 'setting' | `--${string}` | 'nobody'
  /** The section of Settings that has its address or mode. */
  section?: SettingsSectionName
  /** Whether it ends on this computer. */
  isLocal?: true
}

export const connections = {
  providers: {
    title: t('Requests to providers'),
    when: t(
      'A request goes to a model of a provider that you added, or you test a provider or list its models.',
    ),
    to: t(
      'The addresses of your providers, and for a Google service account the sign-in address in its key.',
    ),
    hosts: [],
    decidedBy: 'list',
  },
  localProviders: {
    title: t('Requests to model servers on this computer'),
    when: t('A request goes to a model of a server that you added, such as Ollama.'),
    to: t('This computer.'),
    hosts: [],
    decidedBy: 'nobody',
    isLocal: true,
  },
  awsSignIn: {
    title: t('AWS sign-in'),
    when: t('A request needs keys of the AWS profile, or of AWS’s default chain, that you chose.'),
    to: t(
      'AWS SSO and STS; with the default chain also the metadata address of the container or instance.',
    ),
    hosts: ['*.amazonaws.com', '169.254.169.254', '169.254.170.2', '169.254.170.23'],
    decidedBy: 'list',
  },
  localServers: {
    title: t('Search for model servers'),
    when: t('You search this computer for model servers such as Ollama, or add one of them.'),
    to: t('The usual ports of model servers on this computer.'),
    hosts: ['11434', '1234', '9931', '8080', '8000'].map((port) => `127.0.0.1:${port}`),
    decidedBy: 'list',
    isLocal: true,
  },
  mcpServers: {
    title: t('MCP servers with an address'),
    when: t(
      'You consent to a server or read its tools again, a conversation calls one of them, or you sign in.',
    ),
    to: t(
      'The addresses of the servers that you added, and the sign-in that they name. Servers that are programs connect by themselves.',
    ),
    hosts: [],
    decidedBy: 'list',
    section: 'tools',
  },
  catalog: {
    title: t('Prices and facts of models'),
    when: t('You check for new prices.'),
    to: t('Two published lists, the same for everybody.'),
    hosts: ['raw.githubusercontent.com', 'models.dev'],
    decidedBy: 'list',
  },
  modelDownloads: {
    title: t('Downloads of local models'),
    when: t('You download a local model.'),
    to: t('Hugging Face and its file servers, or the mirror that HF_ENDPOINT names.'),
    hosts: ['huggingface.co', '*.huggingface.co', '*.hf.co'],
    decidedBy: 'list',
  },
  alertWebhook: {
    title: t('Webhook for budget alerts'),
    when: t('A budget reaches a level, or you send an example.'),
    to: t('The address in the setting.'),
    hosts: [],
    decidedBy: 'list',
    section: 'general',
  },
  updates: {
    title: t('Updates of Modelport'),
    when: t('You check for updates, or once a day if you chose that; downloads need a click.'),
    to: t(
      'The feed that is built into this version, by the system’s proxy. If its server leaves out a certificate, also the address in the certificate.',
    ),
    hosts: [],
    decidedBy: 'list',
    section: 'updates',
  },
  telemetry: {
    title: t('OpenTelemetry'),
    when: t('After requests and once a minute, while a server is started with a collector.'),
    to: t('The collector that you named.'),
    hosts: [],
    decidedBy: '--otlp',
  },
  valkey: {
    title: t('Valkey'),
    when: t('While a server is started with it, to share state with other nodes.'),
    to: t('The server that you named.'),
    hosts: [],
    decidedBy: '--shared',
  },
  postgres: {
    title: t('PostgreSQL'),
    when: t('While Modelport keeps its data there.'),
    to: t('The server that you named.'),
    hosts: [],
    decidedBy: '--database',
  },
  proxy: {
    title: t('Proxy'),
    when: t('One of the other connections leaves this computer.'),
    to: t('The proxy in the setting, or in HTTPS_PROXY and its siblings.'),
    hosts: [],
    decidedBy: 'setting',
    section: 'server',
  },
  dns: {
    title: t('Names of servers'),
    when: t('One of the other connections goes to a name and not to an address.'),
    to: t('The name servers of this computer, by the operating system.'),
    hosts: [],
    decidedBy: 'nobody',
  },
  ownPort: {
    title: t('Modelport’s own port'),
    when: t('You run the security check, `modelport doctor` or `modelport mcp`.'),
    to: t('This computer.'),
    hosts: [],
    decidedBy: 'nobody',
    isLocal: true,
  },
} as const satisfies Record<string, Connection>

export type ConnectionId = keyof typeof connections

// `Object.entries` loses the type: these are the table's own ids, each with its entry.
export const connectionEntries = Object.entries(connections) as [ConnectionId, Connection][]

/** Those with a switch in the list: the values of the setting `connectionsOff`. */
export const switchableConnections = connectionEntries.flatMap(([id, { decidedBy }]) =>
  decidedBy === 'list' ? [id] : [],
)

/** A connection as this installation has it. */
export interface ConnectionState {
  id: ConnectionId
  /** Whether something can open it now. */
  isOn: boolean
  /** Null when it was never opened. */
  lastUsedAtMs: number | null
}
