import { FileText, Image } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Attachment } from '../../../../shared/chat/attachments.ts'
import { formatBytes } from '../../../../shared/strings/format.ts'
import { call } from '../../stores/client.ts'
import { t } from '../../../../shared/strings/strings.ts'

/** The files of a question. */
export function AttachedFiles({ attachments }: { attachments: readonly Attachment[] }) {
  return (
    <ul aria-label={t('Files')} className="mb-2 flex flex-wrap gap-2 whitespace-normal">
      {attachments.map((attachment) => (
        <li
          key={attachment.sha256}
          className="flex max-w-64 min-w-0 items-center gap-2 rounded-md bg-surface px-2 py-1 text-xs"
        >
          <FilePicture attachment={attachment} />
          <span className="truncate font-medium">{attachment.name}</span>
          <span className="shrink-0 text-muted">{formatBytes(attachment.bytes)}</span>
        </li>
      ))}
    </ul>
  )
}

/** The image itself, or what stands for another kind. */
export function FilePicture({ attachment }: { attachment: Attachment }) {
  const { kind, mediaType, sha256 } = attachment
  const [data, setData] = useState<string | null>(null)
  useEffect(() => {
    if (kind !== 'image') return
    let isShown = true
    // Without the picture, its icon stays.
    const read = call('chat:attachment-data', { sha256 })
    read.then(
      (found) => isShown && setData(found),
      () => {},
    )
    return () => void (isShown = false)
  }, [kind, sha256])
  if (kind !== 'image') return <FileText size={15} aria-hidden className="shrink-0" />
  if (data === null) return <Image size={15} aria-hidden className="shrink-0" />
  return (
    <img
      alt=""
      src={`data:${mediaType};base64,${data}`}
      className="size-8 shrink-0 rounded object-cover"
    />
  )
}
