import type { ComponentChildren } from 'preact'
import { useErrorBoundary, useLayoutEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { Button } from '../ui/button'
import { Empty } from '../ui/states'

/** A page with a fault leaves the frame standing, and says so. */
export function PageGuard({ children }: { children: ComponentChildren }) {
  const [error, again] = useErrorBoundary()
  const { path } = useLocation()
  // Another page begins anew.
  useLayoutEffect(() => (error ? again() : undefined), [path])
  if (!error) return <>{children}</>
  return (
    <Empty icon="alert" title="This page has a fault">
      <p>{error instanceof Error ? error.message : String(error)}</p>
      <Button onClick={again}>Try again</Button>
    </Empty>
  )
}
