let loaded: Promise<void> | undefined

/** Loads the style of all pages but the first, once; resolves when it is applied. */
export function pagesStyle(): Promise<void> {
  loaded ??= load().catch((error) => {
    loaded = undefined
    throw error
  })
  return loaded
}

async function load(): Promise<void> {
  // Its name contains a hash of its content: the build writes it into the page.
  const href = document.querySelector<HTMLMetaElement>('meta[name="pages-style"]')?.content
  if (href) await linked(href)
}

const linked = (href: string) =>
  new Promise<void>((resolve, reject) => {
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = href
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new Error('The pages’ style could not be loaded'))
    }
    document.head.append(link)
  })
