import { createStore } from '../api/store'

export interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: 'good' | 'bad' | 'plain'
  /** Where more is said about it. */
  readonly href?: string
}

/** What was said last to screen readers; Toasts holds the live region. */
export const announcement = createStore<{ id: number; text: string }>({ id: 0, text: '' })
export const toasts = createStore<readonly Toast[]>([])
const shownMs = 6000
let lastId = 0

/** Says something to screen readers alone. */
export function announce(text: string): void {
  lastId += 1
  announcement.set({ id: lastId, text })
}

/** Shows and says what became of an act. What failed stays until it is dismissed. */
export function notify(text: string, { tone = 'good', href }: Partial<Pick<Toast, 'tone' | 'href'>> = {}): void {
  announce(text)
  const toast: Toast = { id: lastId, text, tone, href }
  toasts.set([...toasts.get().slice(-3), toast])
  if (tone !== 'bad') setTimeout(() => dismiss(toast.id), shownMs)
}

export const dismiss = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id))
