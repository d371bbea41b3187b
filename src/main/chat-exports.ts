/** Exports of other programs that a person chooses in the system's dialog. The window never names a path. */
import { randomUUID } from 'node:crypto'
import { dialog } from 'electron'
import type { Service } from '../service/service.ts'
import type { ChosenExport, ImportReport } from '../shared/chat/imports.ts'
import { t } from '../shared/strings/strings.ts'
import type { MainWindow } from './window.ts'

export interface ChatExports {
  choose(what: 'files' | 'folder'): Promise<ChosenExport[] | null>
  import(ids: readonly string[]): Promise<ImportReport[]>
}

export function openChatExports(
  { importChats }: Pick<Service, 'importChats'>,
  window: MainWindow,
): ChatExports {
  /** Those that were chosen last, by id. */
  let paths = new Map<string, string>()
  return {
    async choose(what) {
      const chosen = await askForExports(what, window)
      if (chosen === null) return null
      paths = new Map(chosen.map((path) => [randomUUID(), path]))
      const exports: ChosenExport[] = []
      for (const [id, path] of paths) exports.push({ id, report: await importChats(path, true) })
      return exports
    },
    async import(ids) {
      const reports: ImportReport[] = []
      for (const id of ids) {
        const path = paths.get(id)
        if (path !== undefined) reports.push(await importChats(path, false))
      }
      return reports
    },
  }
}

/** @returns null when the person closed the dialog */
async function askForExports(
  what: 'files' | 'folder',
  window: MainWindow,
): Promise<string[] | null> {
  const parent = window.current()
  if (parent === null) return null
  const { filePaths } = await dialog.showOpenDialog(parent, {
    title: t('Choose exported conversations'),
    ...(what === 'files' && {
      filters: [{ name: t('Exports'), extensions: ['zip', 'json', 'jsonl'] }],
    }),
    properties: what === 'files' ? ['openFile', 'multiSelections'] : ['openDirectory'],
  })
  return filePaths.length > 0 ? filePaths : null
}
