import { Plus, RefreshCw, Server } from 'lucide-react'
import { useEffect } from 'react'
import type { Provider } from '../../../../shared/entities.ts'
import { formatTokens } from '../../../../shared/strings/format.ts'
import type { FoundModel, FoundServer } from '../../../../shared/models/model-servers.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { addServer, searchServers, useFoundServers } from '../../stores/found-servers.ts'
import { joinWords } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'
import { rich } from '../../components/rich.tsx'

/** Model servers on this computer. Opening the page searches for them once. */
export function FoundServers() {
  const { servers, isSearching, error } = useFoundServers()
  useEffect(() => void searchServers(), [])
  return (
    <section
      aria-label={t('Model servers on this computer')}
      aria-busy={isSearching}
      className="flex flex-col gap-2 rounded-xl border border-line bg-surface p-4"
    >
      <div className="flex items-center gap-2">
        <Server size={17} aria-hidden className="text-accent" />
        <h2 className="font-semibold">{t('Model servers on this computer')}</h2>
        <Button
          size="small"
          look="quiet"
          className="ml-auto"
          disabled={isSearching}
          onClick={() => void searchServers()}
        >
          <RefreshCw size={13} aria-hidden className={isSearching ? 'animate-spin' : ''} />
          {isSearching ? t('Searching…') : t('Search again')}
        </Button>
      </div>
      {error && <ErrorNote error={error} />}
      {servers?.length === 0 && <NoServer />}
      {servers === null && !error && (
        <p className="text-sm text-muted">
          {t('Looking for Ollama, LM Studio, llama.cpp and vLLM…')}
        </p>
      )}
      {servers !== null && servers.length > 0 && (
        <ul className="flex flex-col divide-y divide-line">
          {servers.map((server) => (
            <ServerRow key={server.baseUrl} server={server} />
          ))}
        </ul>
      )}
    </section>
  )
}

function NoServer() {
  return (
    <p className="text-sm text-muted">
      {t(
        'No model server is running. Start Ollama, the server of LM Studio (in Developer), llama-server or vLLM, then search again. Add servers on other computers or ports with “Add provider”.',
      )}
    </p>
  )
}

interface ServerRowProps {
  server: FoundServer
  onAdded?: (provider: Provider) => void
}

/** A server with its models, and a button that adds it. */
export function ServerRow({ server, onAdded }: ServerRowProps) {
  const { typeName, baseUrl, version, models, providerId } = server
  const { run, isRunning, error } = useAction(async () => {
    const provider = await addServer(baseUrl)
    onAdded?.(provider)
  })
  return (
    <li aria-label={typeName} className="flex flex-col gap-1 py-3 first:pt-1 last:pb-0">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-x-2">
            <span className="font-medium">{typeName}</span>
            <span className="text-sm text-muted">
              {[version, new URL(baseUrl).host].filter((text) => text !== null).join(' · ')}
            </span>
          </p>
          <ModelsLine models={models} />
        </div>
        {providerId === null ? (
          <Button
            size="small"
            aria-label={t('Add {typeName}', { typeName })}
            disabled={isRunning}
            onClick={() => run()}
          >
            <Plus size={14} aria-hidden /> {isRunning ? t('Adding…') : t('Add')}
          </Button>
        ) : (
          <Badge tone="ok">{rich('added as {providerId}', { providerId })}</Badge>
        )}
      </div>
      {error && <ErrorNote error={error} />}
    </li>
  )
}

/** How many models are named. The others are counted. */
const modelsNamed = 4

function ModelsLine({ models }: { models: readonly FoundModel[] }) {
  if (models.length === 0)
    return <p className="text-sm text-muted">{t('No models downloaded yet')}</p>
  const loadedFirst = models.toSorted((a, b) => Number(b.isLoaded) - Number(a.isLoaded))
  const named = loadedFirst.slice(0, modelsNamed)
  const more = models.length - named.length
  return (
    <p className="text-sm text-muted" title={loadedFirst.map(({ name }) => name).join('\n')}>
      {t(
        '{count, plural, one {# model: {names}} other {# models: {names}}}{more, plural, =0 {} other { and # more}}',
        { count: models.length, names: joinWords(named.map(wordsFor)), more },
      )}
    </p>
  )
}

function wordsFor({ name, contextTokens, isLoaded }: FoundModel): string {
  const facts = [
    ...(isLoaded ? [t('in memory')] : []),
    ...(contextTokens === null
      ? []
      : [t('{contextTokens} context', { contextTokens: formatTokens(contextTokens) })]),
  ]
  return facts.length === 0 ? name : `${name} (${joinWords(facts)})`
}
