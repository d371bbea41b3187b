/** Messages of queues, which all windows show: each is sent once. */
import { DashboardError } from '../service/service.ts'

export class QueuedMessages {
  /** Whether those that are being sent or were sent were accepted, by id. */
  readonly #sent = new Map<string, Promise<boolean>>()

  /**
   * @param id  null for a message that did not wait
   * @throws DashboardError already_sent when another window has sent it. @throws as `send`; it can be sent again then
   */
  async sendOnce<Sent>(id: string | null, send: () => Promise<Sent>): Promise<Sent> {
    if (id === null) return await send()
    const earlier = this.#sent.get(id)
    if (earlier) {
      if (await earlier) throw new DashboardError('already_sent', 'This message was sent.')
      return await this.sendOnce(id, send)
    }
    const sent = send()
    const isAccepted = sent.then(
      () => true,
      () => !this.#sent.delete(id),
    )
    this.#sent.set(id, isAccepted)
    return await sent
  }
}
