import type { z } from 'zod'
import { t } from '../strings/strings.ts'
/** The sections of the Settings page, in order. The palette and deep links use the same names. */
export const settingsSections = [
  {
    name: 'general',
    title: t('General'),
    keywords: 'start login tray notifications prices models catalogue vendor cache ask cost title',
  },
  {
    name: 'appearance',
    title: t('Appearance'),
    keywords: 'theme dark light language translation density compact locale numbers dates',
  },
  {
    name: 'server',
    title: t('Server'),
    keywords: 'port endpoint certificate proxy origins hosts http',
  },
  {
    name: 'tools',
    title: t('Tools'),
    keywords: 'mcp servers consent permission ask allow deny',
  },
  {
    name: 'privacy',
    title: t('Privacy and retention'),
    keywords: 'connections network offline telemetry signals learn keep days retention delete',
  },
  { name: 'limits', title: t('Limits'), keywords: 'body size requests in progress' },
  {
    name: 'data',
    title: t('Data'),
    keywords: 'backup restore copy export database folder durability',
  },
  { name: 'shortcuts', title: t('Shortcuts'), keywords: 'keyboard keys' },
  {
    name: 'updates',
    title: t('Updates'),
    keywords: 'version upgrade new release download go back previous downgrade',
  },
  { name: 'diagnostics', title: t('Diagnostics'), keywords: 'version status keychain certificate' },
] as const

export type SettingsSectionName = (typeof settingsSections)[number]['name']

/** The cards of the Settings page with their settings. */
export const settingCards = {
  startup: t('Start and tray'),
  notifications: t('Notifications'),
  webhook: t('Webhook'),
  prompts: t('Prompts'),
  chat: t('Chat'),
  look: t('Theme, language and density'),
  formats: t('Numbers and dates'),
  endpoint: t('Endpoint'),
  hosts: t('Host names'),
  webPages: t('Web pages'),
  network: t('Network'),
  requests: t('Requests'),
  connections: t('Connections'),
  retention: t('Retention'),
  learning: t('Learning from answers'),
  requestLimits: t('Requests'),
  database: t('Database'),
  backups: t('Backups'),
  records: t('Request records'),
  updates: t('When to check'),
  localModels: t('Local models'),
} as const
export type SettingCardName = keyof typeof settingCards

export interface SettingField {
  schema: z.ZodType
  default: unknown
  card: SettingCardName
  label: string
  unit?: string
  /** One or two sentences below the control. */
  hint?: string
  choices?: readonly { value: string; label: string; hint?: string }[]
}
