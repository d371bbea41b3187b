import { HardDriveDownload } from 'lucide-react'
import { useEffect } from 'react'
import { formatBytes, formatTwoDigits } from '../../../../shared/strings/format.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { searchServers, useFoundServers } from '../../stores/found-servers.ts'
import { downloadLocalModel, useLocalModels } from '../../stores/local-models.ts'
import type { AddedProvider } from '../models/add/added-provider.ts'
import { ServerRow } from '../models/found-servers.tsx'
import { bestLocalModel } from './best-local-model.ts'
import { useExpectedSpeed } from './expected-speed.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** Models that need no key: servers that run on this computer, and the best model to download. */
export function FirstProvider({ onAdded }: { onAdded: (added: AddedProvider) => void }) {
  const servers = useFoundServers((state) => state.servers) ?? []
  const best = bestLocalModel(useLocalModels((state) => state.items) ?? [])
  const speed = useExpectedSpeed(best)
  const { run, isRunning, error } = useAction(downloadLocalModel)
  useEffect(() => void searchServers(), [])
  if (servers.length === 0 && !best) return null
  return (
    <section
      aria-label={t('Models on this computer')}
      className="flex flex-col gap-2 border-t border-line pt-3 text-sm"
    >
      {servers.length > 0 && (
        <ul className="flex flex-col divide-y divide-line">
          {servers.map((server) => (
            <ServerRow
              key={server.baseUrl}
              server={server}
              onAdded={(provider) => onAdded({ provider, listed: null })}
            />
          ))}
        </ul>
      )}
      {best && (
        <div className="flex flex-wrap items-center gap-3">
          <p className="min-w-0 flex-1 basis-72 text-muted">
            {t(
              'Without a key: {title} runs on this computer. It is a download of {size} and needs about {memory} of memory.',
              {
                title: best.title,
                size: formatBytes(best.sizeBytes),
                memory: formatBytes(best.memoryBytes),
              },
            )}{' '}
            {speed !== null &&
              t('It would write about {perSecond} tokens per second.', {
                perSecond: formatTwoDigits(speed),
              })}
          </p>
          <Button size="small" disabled={isRunning} onClick={() => run(best.name)}>
            <HardDriveDownload size={14} aria-hidden />{' '}
            {t('Download {title}', { title: best.title })}
          </Button>
        </div>
      )}
      {error && <ErrorNote error={error} />}
    </section>
  )
}
