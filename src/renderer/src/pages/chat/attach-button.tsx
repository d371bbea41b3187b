import { Paperclip } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../../components/button.tsx'
import { attachFiles } from '../../stores/attachments.ts'
import { isForMessage, pastedFiles } from './given-files.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** Attaches files from a dialog, and those that are dropped on the window or pasted. */
export function AttachButton({ conversation }: { conversation: string }) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const attach = (event: Event, files: readonly File[]) => {
      if (files.length === 0 || !isForMessage(event.target)) return
      event.preventDefault()
      void attachFiles(conversation, files)
    }
    const onDrop = (event: DragEvent) => attach(event, [...(event.dataTransfer?.files ?? [])])
    const onPaste = (event: ClipboardEvent) =>
      attach(event, event.clipboardData ? pastedFiles(event.clipboardData) : [])
    const onDragOver = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    }
    addEventListener('dragover', onDragOver)
    addEventListener('drop', onDrop)
    addEventListener('paste', onPaste)
    return () => {
      removeEventListener('dragover', onDragOver)
      removeEventListener('drop', onDrop)
      removeEventListener('paste', onPaste)
    }
  }, [conversation])
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('Files to attach')}
        onChange={({ target }) => {
          void attachFiles(conversation, [...(target.files ?? [])])
          // The same file can be chosen again.
          target.value = ''
        }}
      />
      <Button
        look="quiet"
        size="small"
        title={t(
          'Images, PDFs, Word documents, Excel workbooks and text files, up to 20 MB each. You can also drop or paste them.',
        )}
        onClick={() => input.current?.click()}
      >
        <Paperclip size={13} aria-hidden /> {t('Attach')}
      </Button>
    </>
  )
}
