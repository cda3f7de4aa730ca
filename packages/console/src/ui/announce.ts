import { asApiError } from '../api/api-error'
import { createStore } from '../api/store'

interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: 'good' | 'bad'
}

/** The latest announcement to screen readers; Toasts holds the live region. */
export const announcement = createStore<{ id: number; text: string }>({ id: 0, text: '' })
export const toasts = createStore<readonly Toast[]>([])
const shownMs = 6000
let lastId = 0

/** Announces something to screen readers only. */
export function announce(text: string): void {
  lastId += 1
  announcement.set({ id: lastId, text })
}

/** Shows and announces the result of an act. Failures stay until they are dismissed. */
export function notify(text: string, { tone = 'good' }: Partial<Pick<Toast, 'tone'>> = {}): void {
  announce(text)
  const toast: Toast = { id: lastId, text, tone }
  toasts.set([...toasts.get().slice(-3), toast])
  if (tone !== 'bad') setTimeout(() => dismiss(toast.id), shownMs)
}

/** Why something that has no dialog was not carried out. */
export const notifyRefusal = (cause: unknown): void => notify(asApiError(cause).message, { tone: 'bad' })

export const dismiss = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id))
