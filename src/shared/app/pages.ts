import { t } from '../strings/strings.ts'
/**
 * The pages of the navigation, in its order. The navigation, the application menu, the palette and the shortcuts
 * ⌘1 to ⌘9 derive from this table.
 */
export const pages = [
  { path: '/home', title: t('Home'), group: 'Ask', keywords: 'start overview setup attention' },
  { path: '/chat', title: t('Chat'), group: 'Ask', keywords: 'conversation message question' },
  { path: '/routers', title: t('Routers'), group: 'Route', keywords: 'strategy models limits' },
  { path: '/agents', title: t('Agents'), group: 'Route', keywords: 'workflow steps' },
  { path: '/tune', title: t('Tune'), group: 'Route', keywords: 'quality judge prompts' },
  {
    path: '/requests',
    title: t('Requests'),
    group: 'Watch',
    keywords: 'log ledger history errors',
  },
  { path: '/usage', title: t('Usage'), group: 'Watch', keywords: 'spend cost charts tokens csv' },
  { path: '/models', title: t('Models'), group: 'Connect', keywords: 'catalogue prices abilities' },
  { path: '/keys', title: t('Keys'), group: 'Connect', keywords: 'API keys token revoke' },
  { path: '/providers', title: t('Providers'), group: 'Connect', keywords: 'vendors openai local' },
  { path: '/connect', title: t('Connect'), group: 'Connect', keywords: 'tools snippets curl sdk' },
] as const

export type PagePath = (typeof pages)[number]['path']
