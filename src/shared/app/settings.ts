/**
 * All settings with their schema, default and words. The Settings page, the `settings` command, its table in docs/cli.md
 * and the store derive from this table. Stored as key and JSON value, so a new one needs no migration.
 */
import { z } from 'zod'
import { formatLocales } from '../strings/format-locales.ts'
import { languageCodes, languages } from '../strings/languages.ts'
import { ownModelSchema } from '../models/local-models.ts'
import { signalHint } from '../requests/signal-words.ts'
import { t } from '../strings/strings.ts'
import { switchableConnections } from './connections.ts'
import type { SettingField } from './settings-sections.ts'
import {
  hostName,
  portSchema,
  proxyAddress,
  updateChoices,
  webhookAddress,
  webOriginSchema,
} from './setting-schemas.ts'

export const greatestBodyLimitMib = 512
/** The highest limit of requests in progress that can be set. */
export const mostConcurrentRequests = 100_000

export const settings = {
  port: {
    schema: portSchema,
    default: 6778,
    card: 'endpoint',
    label: t('Port'),
    hint: t('Of the HTTPS endpoint; 0 for any free port.'),
  },
  httpPort: {
    schema: portSchema.nullable(),
    default: null,
    card: 'endpoint',
    label: t('Port for unencrypted HTTP'),
    hint: t('For tools that cannot use HTTPS, on this computer only. Empty: off.'),
  },
  updates: {
    schema: z.enum(['off', 'manual', 'daily']),
    default: 'manual',
    card: 'updates',
    label: t('Check for updates'),
    choices: updateChoices,
  },
  theme: {
    schema: z.enum(['system', 'light', 'dark']),
    default: 'system',
    card: 'look',
    label: t('Theme'),
    choices: [
      { value: 'system', label: t('System') },
      { value: 'light', label: t('Light') },
      { value: 'dark', label: t('Dark') },
    ],
  },
  keepInTray: {
    schema: z.boolean(),
    default: true,
    card: 'startup',
    label: t('Show an icon in the system tray'),
    hint: t(
      'Closing the window then keeps serving. Quit from the icon’s menu, which also pauses serving and shows today’s spend.',
    ),
  },
  notifyProviders: {
    schema: z.boolean(),
    default: true,
    card: 'notifications',
    label: t('A provider needs you'),
    hint: t('Its key is rejected or missing, or its credit is used up.'),
  },
  notifyBudgets: {
    schema: z.boolean(),
    default: true,
    card: 'notifications',
    label: t('A budget reaches 50, 80 or 100 %'),
    hint: t('Once per level and period.'),
  },
  alertWebhook: {
    schema: webhookAddress.nullable(),
    default: null,
    card: 'webhook',
    label: t('Webhook for budget alerts'),
    hint: t(
      'Each alert is posted here as JSON, also while no window is open. Leave empty for none.',
    ),
  },
  alertWebhookPrivateNetwork: {
    schema: z.boolean(),
    default: false,
    card: 'webhook',
    label: t('On my private network'),
    hint: t('Allows addresses such as 192.168.1.10, and http there.'),
  },
  notifyFallbacks: {
    schema: z.boolean(),
    default: true,
    card: 'notifications',
    label: t('A provider stops answering'),
    hint: t('After other models have answered for it for a minute.'),
  },
  notifyCertificate: {
    schema: z.boolean(),
    default: true,
    card: 'notifications',
    label: t('The certificate expires soon'),
    hint: t(
      'Modelport renews it by itself; this tells you when that fails, or when programs must trust a new one.',
    ),
  },
  notifyUnexpectedCalls: {
    schema: z.boolean(),
    default: true,
    card: 'notifications',
    label: t('A call you did not expect'),
    hint: t(
      'A key’s first use from another program, address or router, far more refusals or spending than in its last four weeks, or a coding agent’s cache that broke.',
    ),
  },
  language: {
    schema: z.enum(['system', ...languageCodes]),
    default: 'system',
    card: 'look',
    label: t('Language'),
    hint: t('The menu and notifications follow at the next start.'),
    choices: [
      { value: 'system', label: t('System') },
      ...languageCodes.map((value) => ({ value, label: languages[value] })),
    ],
  },
  density: {
    schema: z.enum(['comfortable', 'compact']),
    default: 'comfortable',
    card: 'look',
    label: t('Density'),
    choices: [
      {
        value: 'comfortable',
        label: t('Comfortable'),
        hint: t('More space around rows and controls.'),
      },
      { value: 'compact', label: t('Compact'), hint: t('More rows of tables and lists at once.') },
    ],
  },
  locale: {
    schema: z.union([z.literal('system'), z.enum(formatLocales)]),
    default: 'system',
    card: 'formats',
    label: t('Format'),
    hint: t('Of numbers, money and dates in the window. “system” follows this computer.'),
  },
  allowedOrigins: {
    schema: z.array(webOriginSchema).max(100),
    default: [],
    card: 'webPages',
    label: t('Web origins that may call the endpoint'),
  },
  allowedHosts: {
    // The certificate includes them, so an invalid name would keep the endpoint from starting.
    schema: z.array(z.union([hostName, z.ipv6()])),
    default: [],
    card: 'hosts',
    label: t('Host name'),
    hint: t('A host name or an IPv6 address, without https:// and without a port.'),
  },
  askAboveUsd: {
    schema: z.number().min(0).max(1000),
    default: 1,
    card: 'chat',
    label: t('Ask before a message costs more than'),
    unit: t('US dollars'),
    hint: t('By the forecast under the message field, for a model’s answer. 0: never ask.'),
  },
  titlesByModel: {
    schema: z.boolean(),
    default: false,
    card: 'chat',
    label: t('Name conversations by a model of this computer'),
    hint: t(
      'While nothing else is asked, by the model that answered or the best one here. Off, or where its title is unusable, the first words are the title.',
    ),
  },
  bodyLimitMib: {
    schema: z.int().min(1).max(greatestBodyLimitMib),
    default: 32,
    card: 'requestLimits',
    label: t('Largest request'),
    unit: t('MiB'),
    hint: t('Larger requests get the error 413.'),
  },
  concurrentRequests: {
    schema: z.int().min(1).max(mostConcurrentRequests),
    default: 10_000,
    card: 'requestLimits',
    label: t('Requests in progress'),
    hint: t('Further requests get the error 503 until one ends.'),
  },
  concurrentRequestsPerKey: {
    schema: z.int().min(1).max(mostConcurrentRequests),
    default: 2_000,
    card: 'requestLimits',
    label: t('Requests in progress for each key'),
  },
  fastLane: {
    schema: z.boolean(),
    default: true,
    card: 'requests',
    label: t('Serve ordinary chat requests on the fast path'),
    hint: t(
      'When off, the general HTTP server handles every request. Answers are the same, a little later.',
    ),
  },
  promptCaching: {
    schema: z.boolean(),
    default: true,
    card: 'prompts',
    label: t('Mark prompts for the vendor’s cache'),
    hint: t(
      'For vendors such as Anthropic, where repeated prompts cost less only if they are marked. Conversations that go on are marked.',
    ),
  },
  outboundProxy: {
    schema: z.union([z.literal('direct'), proxyAddress]).nullable(),
    default: null,
    card: 'network',
    label: t('Proxy for providers'),
    hint: t(
      'Such as http://proxy.example.com:3128. Leave empty to use HTTPS_PROXY, or enter “direct” for no proxy.',
    ),
  },
  connectionsOff: {
    schema: z.array(z.enum(switchableConnections)),
    default: [],
    card: 'connections',
    label: t('Connections that are switched off'),
  },
  keepRequestsDays: {
    schema: z.int().min(1).max(36_500),
    default: 90,
    card: 'retention',
    label: t('Keep requests'),
    unit: t('days'),
    hint: t('Older requests are deleted; their totals stay.'),
  },
  keepMinutesDays: {
    schema: z.int().min(1).max(36_500),
    default: 2,
    card: 'retention',
    label: t('Keep totals per minute'),
    unit: t('days'),
  },
  keepHoursDays: {
    schema: z.int().min(1).max(36_500),
    default: 90,
    card: 'retention',
    label: t('Keep totals per hour'),
    unit: t('days'),
  },
  databaseLimitMib: {
    schema: z.int().min(16).max(1_048_576),
    default: 2048,
    card: 'database',
    label: t('Size limit'),
    unit: t('MiB'),
    hint: t('Above it, the oldest requests are deleted; their totals stay.'),
  },
  dailyBackup: {
    schema: z.boolean(),
    default: true,
    card: 'backups',
    label: t('Copy the database once a day'),
    hint: t('The copies of seven days are kept.'),
  },
  durability: {
    schema: z.enum(['fast', 'strict']),
    default: 'fast',
    card: 'records',
    label: t('Writing of records'),
    choices: [
      {
        value: 'fast',
        label: t('Fast'),
        hint: t(
          'Written just after the answer. A crash can lose records of the last tenth of a second.',
        ),
      },
      {
        value: 'strict',
        label: t('Strict'),
        hint: t(
          'Written before the answer ends: a crash loses none. A third fewer requests per second.',
        ),
      },
    ],
  },
  signalFormat: {
    schema: z.boolean(),
    default: true,
    card: 'learning',
    label: t('Requested JSON'),
    hint: signalHint(
      'format',
      t('A request asks for JSON, and the answer fits its schema or does not.'),
    ),
  },
  signalToolCall: {
    schema: z.boolean(),
    default: true,
    card: 'learning',
    label: t('Tool calls'),
    hint: signalHint(
      'tool_call',
      t('The arguments of a tool call match its definition or do not.'),
    ),
  },
  signalEmpty: {
    schema: z.boolean(),
    default: true,
    card: 'learning',
    label: t('Empty answers'),
    hint: signalHint('empty', t('The answer has no text and no tool call.')),
  },
  signalCutOff: {
    schema: z.boolean(),
    default: true,
    card: 'learning',
    label: t('Answers that are cut off'),
    hint: signalHint(
      'cut_off',
      t('The answer ends early, before the length that the request allows.'),
    ),
  },
  signalRefused: {
    schema: z.boolean(),
    default: true,
    card: 'learning',
    label: t('Refusals'),
    hint: signalHint('refused', t('The model refuses, or its provider filters the answer.')),
  },
  signalAskedAgain: {
    schema: z.boolean(),
    default: false,
    card: 'learning',
    label: t('Repeated questions'),
    hint: signalHint(
      'asked_again',
      t(
        'A program sends the same question within five minutes of its answer. Modelport keeps a hash of each question in memory for that time, never the question.',
      ),
    ),
  },
  signalStepRepeated: {
    schema: z.boolean(),
    default: true,
    card: 'learning',
    label: t('Repeated steps of agents'),
    hint: signalHint('step_repeated', t('A step runs again because the answer failed its check.')),
  },
  localModelFile: {
    schema: z.string().nullable(),
    default: null,
    card: 'localModels',
    label: t('Model file (GGUF) to use instead of the built-in model'),
  },
  localModelFiles: {
    schema: z.array(ownModelSchema).max(100),
    default: [],
    card: 'localModels',
    label: t('Model files that you added'),
    hint: t('`modelport local add` reads what they say about themselves.'),
  },
  localContextTokens: {
    schema: z.int().min(512).max(1_048_576),
    default: 8192,
    card: 'localModels',
    label: t('Longest context'),
    unit: t('tokens'),
    hint: t('Longer ones need more memory.'),
  },
  localModelGpu: {
    schema: z.enum(['auto', 'off']),
    default: 'auto',
    card: 'localModels',
    label: t('Use a graphics processor, if there is one'),
  },
} as const satisfies Record<string, SettingField>

// `Object.entries` loses the type: these are the table's own names, each with its field.
export const settingEntries = Object.entries(settings) as [SettingName, SettingField][]

export type SettingName = keyof typeof settings
export type Settings = { [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> }
