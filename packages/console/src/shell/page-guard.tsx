import type { ComponentChildren } from 'preact'
import { useErrorBoundary, useLayoutEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Button } from '../ui/button'
import { Empty } from '../ui/states'

/** An error boundary: a failing page shows a message, and the frame stays. */
export function PageGuard({ children }: { children: ComponentChildren }) {
  const [error, again] = useErrorBoundary()
  const { path } = useLocation()
  // Another page resets the error.
  useLayoutEffect(() => (error ? again() : undefined), [path])
  if (!error) return <>{children}</>
  return (
    <Empty icon="alert" title="This page has a fault">
      <p>{error instanceof Error ? error.message : String(error)}</p>
      <Button onClick={again}>Try again</Button>
    </Empty>
  )
}
