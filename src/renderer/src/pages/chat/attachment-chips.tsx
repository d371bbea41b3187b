import { X } from 'lucide-react'
import { useEffect } from 'react'
import type { Attachment, AttachmentReader } from '../../../../shared/chat/attachments.ts'
import { shortcutText } from '../../../../shared/app/shortcuts.ts'
import type { Router } from '../../../../shared/entities.ts'
import { formatBytes, formatCount } from '../../../../shared/strings/format.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { Note } from '../../components/error-note.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { platform } from '../../shell/platform.ts'
import {
  loadReaders,
  readingKey,
  removeAttachment,
  sendAs,
  useAttachments,
} from '../../stores/attachments.ts'
import { chooseRouter, useChat } from '../../stores/chat.ts'
import { usePastedTexts } from '../../stores/pasted-texts.ts'
import { useRouters } from '../../stores/routers.ts'
import { FilePicture } from './attached-files.tsx'
import { t } from '../../../../shared/strings/strings.ts'

const none: readonly Attachment[] = []
const noFiles: readonly File[] = []

export function useAttached(conversation: string): readonly Attachment[] {
  return useChat((state) => state.attached[conversation] ?? none)
}

/** Whether each file of the message can be read by a model of the router, as far as is known. */
export function useAreReadable(conversation: string, router: Router): boolean {
  const attached = useAttached(conversation)
  const known = useAttachments((state) => state.readers)
  return attached.every((attachment) => {
    const here = known[readingKey(attachment)]?.find(({ routerId }) => routerId === router.id)
    // Every model reads text. Without one that can be asked, the router says so.
    return attachment.sentAs === 'text' || here === undefined || here.readers.length > 0
  })
}

const chipLook =
  'flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-line bg-surface pr-1 pl-2.5 text-xs'

interface ChipsProps {
  conversation: string
  router: Router
  onKeepAsText: (attachment: Attachment) => void
}

/** The files of the message that is written. */
export function AttachmentChips({ conversation, router, onKeepAsText }: ChipsProps) {
  const attached = useAttached(conversation)
  const reading = useAttachments((state) => state.reading[conversation] ?? noFiles)
  return (
    <>
      {attached.length + reading.length > 0 && (
        <ul aria-label={t('Files')} className="flex max-h-48 flex-col gap-1.5 overflow-y-auto">
          {attached.map((attachment) => (
            <Chip key={attachment.sha256} {...{ attachment, conversation, router, onKeepAsText }} />
          ))}
          {reading.map(({ name, size }, at) => (
            <li key={at} className={`${chipLook} py-1.5 text-muted`}>
              <span className="max-w-64 truncate font-medium">{name}</span>
              <span className="animate-pulse tabular-nums">{formatBytes(size)}</span>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className="px-3 text-xs text-muted empty:hidden">
        {reading.length > 0
          ? t('{count, plural, one {Reading a file…} other {Reading # files…}}', {
              count: reading.length,
            })
          : ''}
      </p>
    </>
  )
}

function Chip(props: ChipsProps & { attachment: Attachment }) {
  const { attachment, conversation, router, onKeepAsText } = props
  const routers = useRouters(({ items }) => items)
  const found = useAttachments((state) => state.readers[readingKey(attachment)])
  // Routers and their models may have changed.
  useEffect(() => void loadReaders(conversation, attachment), [conversation, attachment, routers])
  const isPasted = usePastedTexts((pasted) => attachment.sha256 in pasted)
  const here = found?.find(({ routerId }) => routerId === router.id)
  const { name, bytes, kind, pages, hasText, sentAs } = attachment
  const remove = () => removeAttachment(conversation, attachment)
  return (
    <li className="flex flex-col gap-1.5">
      <div className={`${chipLook} py-1`}>
        <FilePicture attachment={attachment} />
        <span className="max-w-64 truncate font-medium">{name}</span>
        <span className="flex-1 text-muted tabular-nums">
          {[
            formatBytes(bytes),
            ...(pages === null
              ? []
              : [t('{count, plural, one {1 page} other {# pages}}', { count: pages })]),
            ...(here && here.readers.length > 0
              ? [
                  tokensWords(here.readers),
                  t('read by {count} of {models} models', {
                    count: here.readers.length,
                    models: here.models,
                  }),
                ]
              : []),
          ].join(' · ')}
        </span>
        {kind === 'pdf' && hasText && (
          <Segmented
            label={t('How {name} is sent', { name })}
            choices={[
              { value: 'text', label: t('As text') },
              { value: 'file', label: t('As pages') },
            ]}
            value={sentAs}
            onChange={(chosen) => sendAs(conversation, attachment, chosen)}
          />
        )}
        {isPasted && (
          <Button
            size="small"
            look="quiet"
            title={t('Puts the text into the message ({keys})', {
              keys: shortcutText('Mod+Z', platform),
            })}
            onClick={() => onKeepAsText(attachment)}
          >
            {t('Keep as text')}
          </Button>
        )}
        <IconButton label={t('Remove {name}', { name })} onClick={remove}>
          <X size={14} aria-hidden />
        </IconButton>
      </div>
      {here?.readers.length === 0 && sentAs === 'file' && (
        <Unreadable {...{ attachment, conversation, router }} onRemove={remove} />
      )}
    </li>
  )
}

interface UnreadableProps extends Pick<ChipsProps, 'conversation' | 'router'> {
  attachment: Attachment
  onRemove: () => void
}

/** Says before sending that no model reads the file, and what can be done. */
function Unreadable(props: UnreadableProps) {
  const { attachment, conversation, router, onRemove } = props
  const { name, hasText, kind } = attachment
  const routers = useRouters(({ items }) => items) ?? []
  const found = useAttachments((state) => state.readers[readingKey(attachment)]) ?? []
  const able = found.find(({ readers }) => readers.length > 0)
  const other = routers.find(({ id }) => id === able?.routerId)
  return (
    <Note kind="warn">
      <span className="min-w-40 flex-1">
        {kind === 'image'
          ? t('No model of {router} reads images, so {name} cannot be sent.', {
              router: router.name,
              name,
            })
          : t('No model of {router} reads PDF pages, so {name} cannot be sent as pages.', {
              router: router.name,
              name,
            })}
      </span>
      {hasText && (
        <Button size="small" onClick={() => sendAs(conversation, attachment, 'text')}>
          {t('Send as text')}
        </Button>
      )}
      {other && (
        <Button size="small" onClick={() => chooseRouter(conversation, other.id)}>
          {t('Use {name}', { name: other.name })}
        </Button>
      )}
      <Button size="small" onClick={onRemove}>
        {t('Remove')}
      </Button>
    </Note>
  )
}

/** By the rule of each model's vendor. */
function tokensWords(readers: readonly AttachmentReader[]): string {
  const counts = readers.map(({ tokens }) => tokens)
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  return least === most
    ? t('≈ {count} tokens', { count: formatCount(most) })
    : t('≈ {least} to {most} tokens', { least: formatCount(least), most: formatCount(most) })
}
