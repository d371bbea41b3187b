import type { AgentSummary } from '../../../shared/agents/agent-window.ts'
import { commands, type Command, type CommandId } from '../../../shared/app/commands.ts'
import type { Conversation } from '../../../shared/chat/conversations.ts'
import type { ApiKey, Router } from '../../../shared/entities.ts'
import type { Shortcut } from '../../../shared/app/shortcuts.ts'
import { strategyProfiles } from '../../../shared/routers/strategies.ts'
import { openConversation } from '../stores/chat.ts'
import { openComparisonMenu } from '../stores/comparison-menu.ts'
import { beginConversation } from '../stores/new-conversation.ts'
import { changeDraft } from '../stores/tuning-draft.ts'
import { runCommand, type Navigation } from './commands.ts'
import { rankEntries } from './fuzzy.ts'
import { t } from '../../../shared/strings/strings.ts'

export interface PaletteEntry {
  id: string
  title: string
  keywords: string
  /** Shown after the title. */
  detail: string | null
  shortcut: Shortcut | null
  run(navigation: Navigation): void
}

export interface PaletteGroup {
  name: string
  items: PaletteEntry[]
}

/** What the palette finds besides commands. */
export interface PaletteData {
  routers: readonly Router[]
  agents: readonly AgentSummary[]
  conversations: readonly Conversation[]
  keys: readonly ApiKey[]
}

/** What can be done with one router or key. They are shown once something is typed. */
const moreActions = t('More actions')

/** All entries by group; conversations with the newest first. */
export function paletteGroups(
  data: PaletteData,
  isAvailable: (id: CommandId) => boolean,
): PaletteGroup[] {
  const available = commands.filter(({ id }) => id !== 'palette' && isAvailable(id))
  const ofKind = (kind: 'page' | 'settings' | 'action') =>
    available.filter(({ id }) => kindOf(id) === kind).map(commandEntry)
  const usable = data.keys.filter(({ revokedAtMs }) => revokedAtMs === null)
  return [
    { name: t('Pages'), items: ofKind('page') },
    { name: t('Actions'), items: ofKind('action') },
    { name: t('Routers'), items: data.routers.map(routerEntry) },
    { name: t('Chats'), items: data.conversations.map(conversationEntry) },
    { name: t('Agents'), items: data.agents.map(agentEntry) },
    { name: t('Keys'), items: usable.map(keyEntry) },
    {
      name: moreActions,
      items: [...data.routers.flatMap(routerActions), ...usable.flatMap(keyActions)],
    },
    { name: t('Settings'), items: ofKind('settings') },
  ]
}

/** How many entries of a group are shown: a few of each at first, more of what a query finds. */
const shown = { atFirst: 4, found: 8 } as const

/**
 * The groups with the entries that match; the group with the best match first.
 * @param recentIds  entries that were chosen last, the newest first; they come first while nothing is typed
 */
export function searchGroups(
  query: string,
  groups: readonly PaletteGroup[],
  recentIds: readonly string[] = [],
): PaletteGroup[] {
  if (query.trim() === '') return [...recentEntries(groups, recentIds), ...firstEntries(groups)]
  const ranked = rankEntries(
    query,
    groups.flatMap(({ items }) => items),
  )
  const place = new Map(ranked.map((entry, index) => [entry, index]))
  const placeOf = (entry: PaletteEntry | undefined) =>
    entry ? (place.get(entry) ?? ranked.length) : ranked.length
  return groups
    .map(({ name, items }) => ({
      name,
      items: items
        .filter((entry) => place.has(entry))
        .toSorted((one, other) => placeOf(one) - placeOf(other))
        .slice(0, shown.found),
    }))
    .filter(({ items }) => items.length > 0)
    .toSorted((one, other) => placeOf(one.items[0]) - placeOf(other.items[0]))
}

/** The entries chosen last that are still there, as copies: an entry stays in its group. */
function recentEntries(groups: readonly PaletteGroup[], ids: readonly string[]): PaletteGroup[] {
  const all = new Map(groups.flatMap(({ items }) => items).map((entry) => [entry.id, entry]))
  const items = ids.flatMap((id) => all.get(id) ?? []).map((entry) => ({ ...entry }))
  return items.length === 0 ? [] : [{ name: t('Recent'), items }]
}

/** All commands, and a few of everything else. */
function firstEntries(groups: readonly PaletteGroup[]): PaletteGroup[] {
  return groups
    .filter(({ name }) => name !== moreActions)
    .map(({ name, items }) => {
      const isWhole = name === 'Pages' || name === 'Actions'
      return { name, items: isWhole ? items : items.slice(0, shown.atFirst) }
    })
    .filter(({ items }) => items.length > 0)
}

function kindOf(id: CommandId): 'page' | 'settings' | 'action' {
  if (id.startsWith('page:')) return 'page'
  return id.startsWith('settings:') ? 'settings' : 'action'
}

function commandEntry({ id, title, keywords, shortcut }: Command<CommandId>): PaletteEntry {
  const run = (navigation: Navigation) => runCommand(id, navigation)
  return { id, title, keywords, detail: null, shortcut, run }
}

function routerEntry({ id, name, strategy }: Router): PaletteEntry {
  return {
    id: `router:${id}`,
    title: name,
    keywords: `router ${id}`,
    detail: strategyProfiles[strategy].label,
    shortcut: null,
    run: (navigation) => navigation.to(`/routers/${encodeURIComponent(id)}`),
  }
}

function conversationEntry({ id, title }: Conversation): PaletteEntry {
  return {
    id: `chat:${id}`,
    title,
    keywords: 'chat conversation',
    detail: null,
    shortcut: null,
    run(navigation) {
      void openConversation(id)
      navigation.to('/chat')
    },
  }
}

function agentEntry({ name, description }: AgentSummary): PaletteEntry {
  return {
    id: `agent:${name}`,
    title: name,
    keywords: 'agent',
    detail: description,
    shortcut: null,
    run: (navigation) => navigation.to(`/agents/${encodeURIComponent(name)}`),
  }
}

function keyEntry({ id, name, hint }: ApiKey): PaletteEntry {
  return {
    id: `key:${id}`,
    title: name,
    keywords: 'API key',
    detail: hint,
    shortcut: null,
    run: (navigation) => navigation.to('/connect?show=keys'),
  }
}

function routerActions({ id, name, routing: { isPaused } }: Router): PaletteEntry[] {
  function openNewChat(navigation: Navigation): void {
    beginConversation(id)
    navigation.to('/chat')
  }
  const path = `/routers/${encodeURIComponent(id)}`
  return [
    action(`chat-on:${id}`, t('New chat on {name}', { name }), openNewChat),
    action(`compare:${id}`, t('Compare {name} with other routers', { name }), (navigation) => {
      openNewChat(navigation)
      openComparisonMenu()
    }),
    action(`strategy:${id}`, t('Change the strategy of {name}', { name }), (navigation) =>
      navigation.to(`${path}?tab=strategy`),
    ),
    action(`limits:${id}`, t('Change the limits of {name}', { name }), (navigation) =>
      navigation.to(`${path}?tab=limits`),
    ),
    action(
      `pause:${id}`,
      isPaused ? t('Resume {name}', { name }) : t('Pause {name}', { name }),
      () =>
        void import('../pages/routers/router-drafts.ts').then(({ setRouterPaused }) =>
          setRouterPaused(id, !isPaused),
        ),
    ),
    action(`tune:${id}`, t('Tune {name}', { name }), (navigation) => {
      changeDraft({ routerId: id })
      navigation.to('/tune/new')
    }),
    action(`activity:${id}`, t('Show the requests of {name}', { name }), (navigation) =>
      navigation.to(`/activity?routerId=${encodeURIComponent(id)}`),
    ),
  ]
}

function keyActions({ id, name }: ApiKey): PaletteEntry[] {
  const key = encodeURIComponent(id)
  return [
    action(`rotate:${id}`, t('Rotate key {name}', { name }), (navigation) =>
      navigation.to(`/connect?do=rotate&key=${key}`),
    ),
    action(`revoke:${id}`, t('Revoke key {name}', { name }), (navigation) =>
      navigation.to(`/connect?do=revoke&key=${key}`),
    ),
  ]
}

function action(id: string, title: string, run: PaletteEntry['run']): PaletteEntry {
  return { id, title, keywords: '', detail: null, shortcut: null, run }
}
