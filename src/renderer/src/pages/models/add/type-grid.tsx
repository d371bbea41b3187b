import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ProviderType } from '../../../../../shared/models/provider-type.ts'
import { inputClass } from '../../../components/field.tsx'
import { ProviderMark } from '../../../components/provider-mark.tsx'
import { Form } from '../../../components/form.tsx'
import { searchServers, useFoundServers } from '../../../stores/found-servers.ts'
import { FoundKeys } from '../found-keys.tsx'
import { ServerRow } from '../found-servers.tsx'
import type { AddedProvider } from './added-provider.ts'
import { t } from '../../../../../shared/strings/strings.ts'

interface TypeGridProps {
  types: readonly ProviderType[]
  onChoose: (type: string) => void
  onAdded: (added: AddedProvider) => void
}

/** All provider types with a search, after the keys of the environment and the servers that run on this computer. */
export function TypeGrid({ types, onChoose, onAdded }: TypeGridProps) {
  const [search, setSearch] = useState('')
  const field = useRef<HTMLInputElement>(null)
  // The dialog may open before the types are loaded, without a field to focus.
  useEffect(() => field.current?.focus(), [])
  const found = types.filter((type) => matches(type, search))
  const groups = [
    { label: t('Vendors'), types: found.filter(({ isSelfHosted }) => !isSelfHosted) },
    { label: t('Your own servers'), types: found.filter(({ isSelfHosted }) => isSelfHosted) },
  ]
  return (
    <div className="flex min-h-0 flex-col gap-5">
      <Form
        className="relative"
        onSubmit={() => {
          if (search.trim() !== '' && found[0]) onChoose(found[0].type)
        }}
      >
        <Search
          size={15}
          aria-hidden
          className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-muted"
        />
        <input
          ref={field}
          type="search"
          aria-label={t('Search providers')}
          placeholder={t('Search {count, plural, one {# provider} other {# providers}}', {
            count: types.length,
          })}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className={`${inputClass} pl-8`}
        />
      </Form>
      {search.trim() === '' && (
        <>
          <FoundKeys
            onAdded={onAdded}
            className="rounded-lg border border-accent bg-accent-soft px-3 py-1.5"
          />
          <RunningHere onAdded={onAdded} />
        </>
      )}
      {groups.map(({ label, types: ofGroup }) =>
        ofGroup.length === 0 ? null : (
          <section key={label} aria-label={label} className="flex flex-col gap-2">
            <h3 className="text-xs font-medium text-muted">{label}</h3>
            <ul className="grid grid-cols-[repeat(auto-fill,minmax(12.5rem,1fr))] gap-2">
              {ofGroup.map((type) => (
                <li key={type.type}>
                  <TypeTile type={type} onChoose={() => onChoose(type.type)} />
                </li>
              ))}
            </ul>
          </section>
        ),
      )}
      {found.length === 0 && (
        <p className="text-sm text-muted">
          {t('No match. Most other servers work as “OpenAI-compatible server”.')}
        </p>
      )}
    </div>
  )
}

function matches({ type, name }: ProviderType, search: string): boolean {
  const wanted = search.trim().toLowerCase()
  return name.toLowerCase().includes(wanted) || type.includes(wanted)
}

function TypeTile({ type, onChoose }: { type: ProviderType; onChoose: () => void }) {
  return (
    <button
      type="button"
      onClick={onChoose}
      className="flex w-full items-center gap-3 rounded-lg border border-line bg-surface px-3 py-2.5 text-left hover:border-edge hover:bg-hover"
    >
      <ProviderMark name={type.name} />
      <span className="min-w-0 text-sm leading-tight font-medium">{type.name}</span>
    </button>
  )
}

/** Servers on this computer that are not added yet. */
function RunningHere({ onAdded }: { onAdded: (added: AddedProvider) => void }) {
  const servers = useFoundServers((state) => state.servers)
  useEffect(() => void searchServers(), [])
  const free = (servers ?? []).filter(({ providerId }) => providerId === null)
  if (free.length === 0) return null
  return (
    <section aria-label={t('Running on this computer')} className="flex flex-col gap-2">
      <h3 className="text-xs font-medium text-muted">{t('Running on this computer')}</h3>
      <ul className="flex flex-col divide-y divide-line rounded-lg border border-accent bg-accent-soft px-3 py-1.5">
        {free.map((server) => (
          <ServerRow
            key={server.baseUrl}
            server={server}
            onAdded={(provider) => onAdded({ provider, listed: null })}
          />
        ))}
      </ul>
    </section>
  )
}
