import { Card } from '../../components/page.tsx'
import { ShortcutsList } from '../../shell/shortcuts-list.tsx'

export function ShortcutsSection() {
  return (
    <Card>
      <ShortcutsList />
    </Card>
  )
}
