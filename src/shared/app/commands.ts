/**
 * Names all commands of the app. The application menu (main), the palette, the shortcuts sheet and tooltips (window)
 * read this list, so they cannot disagree. What a command does is in `renderer/src/shell/commands.ts`.
 */
import { pageParts, pages, type PagePath, type PartPath } from './pages.ts'
import { settingsSections, type SettingsSectionName } from './settings-sections.ts'
import type { Shortcut } from './shortcuts.ts'
import { t } from '../strings/strings.ts'

/** The menu of a command, and its heading in the shortcuts sheet. */
export type MenuName = 'File' | 'Edit' | 'View' | 'Go' | 'Help'

export interface Command<Id extends string = string> {
  id: Id
  title: string
  /** Further words that find it. */
  keywords: string
  shortcut: Shortcut | null
  /** Null for commands that only the palette lists. */
  menu: MenuName | null
}

const actions = [
  {
    id: 'new-chat',
    title: t('New chat'),
    keywords: 'conversation ask',
    shortcut: 'Mod+N',
    menu: 'File',
  },
  {
    id: 'quick-entry',
    title: t('Quick entry'),
    keywords: 'ask small window',
    shortcut: null,
    menu: 'File',
  },
  {
    id: 'import-chats',
    title: t('Import conversations'),
    keywords: 'chatgpt claude open webui lm studio librechat cherry jan openai export',
    shortcut: null,
    menu: 'File',
  },
  {
    id: 'create-router',
    title: t('Create router'),
    keywords: 'new add',
    shortcut: null,
    menu: 'File',
  },
  {
    id: 'create-agent',
    title: t('Create agent'),
    keywords: 'new add',
    shortcut: null,
    menu: 'File',
  },
  {
    id: 'create-key',
    title: t('Create key'),
    keywords: 'new add API program token',
    shortcut: null,
    menu: 'File',
  },
  {
    id: 'add-provider',
    title: t('Add provider'),
    keywords: 'new vendor openai anthropic key',
    shortcut: null,
    menu: 'File',
  },
  {
    id: 'copy-base-url',
    title: t('Copy base URL'),
    keywords: 'endpoint address',
    shortcut: 'Mod+Shift+C',
    menu: 'Edit',
  },
  {
    id: 'find',
    title: t('Find on this page'),
    keywords: 'search text',
    shortcut: 'Mod+F',
    menu: 'Edit',
  },
  {
    id: 'stop',
    title: t('Stop the answer'),
    keywords: 'cancel abort chat',
    shortcut: 'Mod+.',
    menu: 'Edit',
  },
  {
    id: 'compare-routers',
    title: t('Compare routers'),
    keywords: 'split side by side chat',
    shortcut: 'Mod+\\',
    menu: 'View',
  },
  {
    id: 'edit-instructions',
    title: t('Edit instructions'),
    keywords: 'system prompt chat',
    shortcut: null,
    menu: null,
  },
  {
    id: 'toggle-charts',
    title: t('Show or hide charts'),
    keywords: 'chat',
    shortcut: null,
    menu: null,
  },
  {
    id: 'export-chat',
    title: t('Export conversation as Markdown'),
    keywords: 'save chat',
    shortcut: null,
    menu: null,
  },
  {
    id: 'palette',
    title: t('Search and commands'),
    keywords: 'palette find',
    shortcut: 'Mod+K',
    menu: 'View',
  },
  {
    id: 'toggle-navigation',
    title: t('Collapse or expand the navigation'),
    keywords: 'sidebar rail',
    shortcut: 'Mod+B',
    menu: 'View',
  },
  {
    id: 'theme-light',
    title: t('Use light theme'),
    keywords: 'mode',
    shortcut: null,
    menu: 'View',
  },
  {
    id: 'theme-dark',
    title: t('Use dark theme'),
    keywords: 'mode night',
    shortcut: null,
    menu: 'View',
  },
  {
    id: 'theme-system',
    title: t('Use system theme'),
    keywords: 'mode',
    shortcut: null,
    menu: 'View',
  },
  {
    id: 'density-comfortable',
    title: t('Use comfortable density'),
    keywords: 'rows spacing',
    shortcut: null,
    menu: 'View',
  },
  {
    id: 'density-compact',
    title: t('Use compact density'),
    keywords: 'rows spacing dense',
    shortcut: null,
    menu: 'View',
  },
  {
    id: 'back',
    title: t('Back'),
    keywords: 'previous page',
    shortcut: { mac: 'Mod+[', other: 'Alt+ArrowLeft' },
    menu: 'Go',
  },
  {
    id: 'forward',
    title: t('Forward'),
    keywords: 'next page',
    shortcut: { mac: 'Mod+]', other: 'Alt+ArrowRight' },
    menu: 'Go',
  },
  {
    id: 'check-for-updates',
    title: t('Check for updates'),
    keywords: 'new version release upgrade',
    shortcut: null,
    menu: 'Help',
  },
  {
    id: 'shortcuts',
    title: t('Keyboard shortcuts'),
    keywords: 'help keys',
    shortcut: '?',
    menu: 'Help',
  },
] as const satisfies readonly Command[]

export type ActionId = (typeof actions)[number]['id']
export type CommandId = ActionId | `page:${PagePath | PartPath}` | `settings:${SettingsSectionName}`

const pageCommands: readonly Command<CommandId>[] = pages.map(
  ({ path, title, keywords }, index) => ({
    id: `page:${path}` as const,
    title,
    keywords: `go to page ${keywords}`,
    ...(path === '/settings'
      ? { shortcut: 'Mod+,', menu: 'File' }
      : { shortcut: `Mod+${index + 1}`, menu: 'Go' }),
  }),
)

const partCommands: readonly Command<CommandId>[] = pageParts.map(({ path, title, keywords }) => ({
  id: `page:${path}` as const,
  title,
  keywords: `go to page ${keywords}`,
  shortcut: null,
  menu: null,
}))

const settingsCommands: readonly Command<CommandId>[] = settingsSections.map(
  ({ name, title, keywords }) => ({
    id: `settings:${name}` as const,
    title: t('Settings: {title}', { title }),
    keywords,
    shortcut: null,
    menu: null,
  }),
)

/** All commands, in the order of the menu. */
export const commands: readonly Command<CommandId>[] = [
  ...actions,
  ...pageCommands,
  ...partCommands,
  ...settingsCommands,
]

/** The commands of one menu, in order. */
export function commandsIn(menu: MenuName): readonly Command<CommandId>[] {
  return commands.filter((command) => command.menu === menu)
}

/** @throws when nothing has this id, which the type rules out */
export function commandOf(id: CommandId): Command<CommandId> {
  const command = commands.find((candidate) => candidate.id === id)
  if (!command) throw new Error(`there is no command ${id}`)
  return command
}
