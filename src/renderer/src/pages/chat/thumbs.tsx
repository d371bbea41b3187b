import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { IconButton } from '../../components/button.tsx'
import { useAction } from '../../components/use-action.ts'
import { lessonWords } from '../../decision/lesson-words.ts'
import { setThumb, useLessons, useThumbs } from '../../stores/thumbs.ts'
import { t } from '../../../../shared/strings/strings.ts'

const choices = [
  { thumb: 'up', label: t('Good answer'), icon: ThumbsUp },
  { thumb: 'down', label: t('Bad answer'), icon: ThumbsDown },
] as const

/** Feedback buttons. A second click on the same button withdraws the feedback. */
export function ThumbButtons({ requestId }: { requestId: string }) {
  const given = useThumbs((thumbs) => thumbs[requestId] ?? null)
  const lesson = useLessons((lessons) => lessons[requestId])
  const { run, isRunning, error } = useAction(setThumb)
  return (
    <>
      {choices.map(({ thumb, label, icon: Icon }) => (
        <IconButton
          key={thumb}
          label={label}
          aria-pressed={given === thumb}
          disabled={isRunning}
          className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
          onClick={() => run(requestId, given === thumb ? null : thumb)}
        >
          <Icon size={14} aria-hidden />
        </IconButton>
      ))}
      <span
        role="status"
        title={given ? t('Used by Adaptive routers') : undefined}
        className="pl-1 text-xs text-muted first-letter:uppercase"
      >
        {error?.message ??
          (given && (lesson ? lessonWords(lesson) : t('Used by Adaptive routers')))}
      </span>
    </>
  )
}
