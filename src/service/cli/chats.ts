import { basename, resolve } from 'node:path'
import type { Command } from 'commander'
import { chatSources, type ImportReport } from '../../shared/chat/imports.ts'
import type { CheckedConversation } from '../chat-imports/check-form.ts'
import { replaceFile } from '../data-folder/durable-file.ts'
import { CommandFailed, UsageError, type Cli } from './cli.ts'
import { targetFile } from './target-file.ts'

interface ImportCommandOptions {
  dryRun?: true
  checkForm?: string
}

export function registerChats(program: Command, cli: Cli): void {
  const chats = program.command('chats').description('conversations of the chat window')
  chats
    .command('import <file...>')
    .description(
      `import conversations of ${Object.values(chatSources).join(', ')}: their exports as ZIP, JSON or folder`,
    )
    .option('--dry-run', 'say what would be imported, and write nothing')
    .option('--check-form <file>', 'write what is in the files as JSON, to compare it')
    .action((files: string[], options: ImportCommandOptions) => {
      const target = checkFormFile(files, options, cli)
      return cli.inWorkspace(async ({ storage }) => {
        const { checkForm } = await import('../chat-imports/check-form.ts')
        const { importChats } = await import('../chat-imports/import-chats.ts')
        const reports: ImportReport[] = []
        const forms: Record<string, unknown> = {}
        for (const file of files) {
          const conversations: CheckedConversation[] = []
          const report = await importChats(file, {
            store: storage.conversations,
            now: Date.now,
            isDryRun: options.dryRun === true,
            onConversation: (conversation) => conversations.push(checkForm(conversation)),
          })
          reports.push(report)
          const name = file.endsWith('/') ? `${basename(file)}/` : basename(file)
          const { refused, warnings, presets } = report
          forms[name] = { ...(refused !== null && { refused }), warnings, presets, conversations }
        }
        if (target !== null) await replaceFile(target, `${JSON.stringify(forms, null, 2)}\n`)
        cli.output.text(reports, reports.map((report) => reportText(report, options)).join('\n'))
        if (reports.some(({ refused }) => refused !== null)) {
          throw new CommandFailed('Some files were not imported.')
        }
      })
    })
}

/** @throws UsageError when it would replace what is imported, or is in the data folder */
function checkFormFile(
  files: readonly string[],
  { checkForm }: ImportCommandOptions,
  cli: Cli,
): string | null {
  if (checkForm === undefined) return null
  if (files.some((file) => resolve(file) === resolve(checkForm))) {
    throw new UsageError('--check-form: choose another file than those that are imported.')
  }
  return targetFile(checkForm, cli.workspaceOptions().dataDir, true)
}

function reportText(report: ImportReport, { dryRun }: ImportCommandOptions): string {
  const { file, source, refused, conversations, warnings, losses } = report
  if (refused !== null || source === null) return `${file}: ${refused ?? 'no conversations'}`
  const { added, extended, known } = conversations
  const lines = [
    `${file} (${chatSources[source]})${dryRun ? ', nothing is written' : ''}:`,
    `  conversations: ${added} new, ${extended} with new messages, ${known} already here`,
    `  messages: ${report.messages}, files: ${report.files}, presets: ${report.presets}`,
    ...losses.map((loss) => `  not kept: ${loss}`),
    ...warnings.map((warning) => `  warning: ${warning}`),
  ]
  return lines.join('\n')
}
