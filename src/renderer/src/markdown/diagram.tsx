import { useEffect, useRef, useState, type ReactNode } from 'react'
import { t } from '../../../shared/strings/strings.ts'
import { useTheme } from '../components/theme.ts'
import { drawDiagram } from './draw-diagram.ts'

type Drawing = { kind: 'drawing' } | { kind: 'drawn'; address: string } | { kind: 'failed' }

interface DiagramProps {
  source: string
  /** Its code, which is shown until it is drawn, and where it cannot be drawn. */
  children: ReactNode
}

/** A diagram as an image, in which no script runs and nothing is loaded. */
export function Diagram({ source, children }: DiagramProps) {
  const theme = useTheme()
  const frame = useRef<HTMLDivElement>(null)
  const [drawing, setDrawing] = useState<Drawing>({ kind: 'drawing' })
  useEffect(() => {
    let isWanted = true
    let address: string | null = null
    async function draw(element: HTMLElement): Promise<void> {
      const { backgroundColor: bg, color: fg } = getComputedStyle(element)
      const svg = await drawDiagram(source, { bg, fg })
      if (!isWanted) return
      if (svg === null) return setDrawing({ kind: 'failed' })
      address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
      setDrawing({ kind: 'drawn', address })
    }
    if (frame.current) void draw(frame.current)
    return () => {
      isWanted = false
      if (address !== null) URL.revokeObjectURL(address)
    }
  }, [source, theme])
  return (
    <div ref={frame} className="bg-sunken text-ink">
      {drawing.kind === 'drawn' ? (
        <div
          // A wide diagram scrolls, and a scroll area must be reachable by keyboard.
          tabIndex={0}
          role="region"
          aria-label={t('Diagram')}
          className="overflow-auto"
        >
          <img
            src={drawing.address}
            alt={t('The diagram of this code')}
            onError={() => setDrawing({ kind: 'failed' })}
            className="mx-auto max-w-none"
          />
        </div>
      ) : (
        <>
          <p role="status" className="px-3 pt-2 text-xs text-muted">
            {drawing.kind === 'drawing' ? t('Drawing…') : t('This diagram cannot be drawn.')}
          </p>
          {children}
        </>
      )}
    </div>
  )
}
