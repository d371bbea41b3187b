import { t } from '../strings/strings.ts'
/**
 * The places of the navigation, in its order. The navigation, the application menu, the palette and the shortcuts
 * ⌘1 to ⌘6 derive from this table.
 */
export const pages = [
  { path: '/home', title: t('Home'), keywords: 'start overview setup attention' },
  { path: '/chat', title: t('Chat'), keywords: 'conversation message question' },
  { path: '/routers', title: t('Routers'), keywords: 'strategy models limits tune' },
  { path: '/activity', title: t('Activity'), keywords: 'requests log ledger history errors' },
  { path: '/models', title: t('Models'), keywords: 'catalogue prices abilities' },
  { path: '/connect', title: t('Connect'), keywords: 'programs tools snippets curl sdk' },
  { path: '/settings', title: t('Settings'), keywords: 'preferences options' },
] as const

export type PagePath = (typeof pages)[number]['path']

/** Parts of places that people look for by their own name. Only the palette lists them. */
export const pageParts = [
  { path: '/routers?view=agents', title: t('Agents'), keywords: 'workflow steps' },
  {
    path: '/activity?view=charts',
    title: t('Usage charts'),
    keywords: 'spend cost tokens csv latency',
  },
  {
    path: '/activity?view=refused',
    title: t('Refused requests'),
    keywords: 'errors limits rejected',
  },
  { path: '/models?view=providers', title: t('Providers'), keywords: 'vendors openai local' },
  { path: '/connect?show=keys', title: t('API keys'), keywords: 'token revoke rotate programs' },
] as const

export type PartPath = (typeof pageParts)[number]['path']
