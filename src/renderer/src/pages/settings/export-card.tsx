import { Button } from '../../components/button.tsx'
import { downloadFile } from '../../components/download-file.ts'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { call } from '../../stores/client.ts'
import { showToast } from '../../stores/toasts.ts'
import { SettingCard } from './setting-card.tsx'
import { rich } from '../../components/rich.tsx'
import { joinWords } from '../../../../shared/strings/join.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** Saves the configuration as a file for another computer. */
export function ExportCard() {
  const { run, isRunning, error } = useAction(exportConfiguration)
  return (
    <SettingCard title={t('Configuration')}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose min-w-0 flex-1 text-sm text-muted">
          {rich(
            'Providers, models, routers, agents and settings as a JSON file. It contains no key and no request. Read it on another computer with {command}.',
            { command: <code className="font-mono text-xs">modelport import</code> },
          )}
        </p>
        <Button disabled={isRunning} onClick={() => run()}>
          {t('Export configuration')}
        </Button>
      </div>
      {error && <ErrorNote error={error} />}
    </SettingCard>
  )
}

/** @throws CallError */
async function exportConfiguration(): Promise<void> {
  const { text, ...counts } = await call('configuration:export')
  const day = new Date().toISOString().slice(0, 10)
  downloadFile({ name: `modelport-${day}.json`, type: 'application/json', text })
  const words = Object.entries(counts).map(([what, count]) =>
    t(
      '{count, plural, one {1 {what, select, providers {provider} models {model} routers {router} agents {agent} other {setting}}} other {# {what, select, providers {providers} models {models} routers {routers} agents {agents} other {settings}}}}',
      { what, count },
    ),
  )
  showToast({ text: t('Exported {list}', { list: joinWords(words) }) })
}
