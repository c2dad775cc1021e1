/** What wkx uses of node:util. */

/** Makes the instances of one constructor those of another too. */
export function inherits(child: { prototype: object }, parent: { prototype: object }): void {
  Object.setPrototypeOf(child.prototype, parent.prototype);
}
