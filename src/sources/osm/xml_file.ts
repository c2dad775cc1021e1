import { type Kept, keepsRelation, type OsmNode } from '../../../workers/osm/elements.ts';
import { createOsmXmlReader, type OsmXmlHandlers } from '../../../workers/osm/xml.ts';
import { utf8Decoder } from './bytes.ts';
import { Collector, type OsmExtract } from './collect.ts';

/**
 * Reads the boundaries of an OSM or Overpass XML document in up to three passes: relations, the ways they need, the
 * nodes those need. `open` starts a pass and returns the bytes of the whole document, in pieces.
 */
export async function readOsmXml(
  open: (phase: string) => AsyncIterable<Uint8Array>,
  bytes: number,
  kept: Kept = 'boundaries',
): Promise<OsmExtract> {
  const collector = new Collector(kept);
  // Places that members and ways contain themselves: of labels, and of the nodes of clipped ways.
  const carried: OsmNode[] = [];
  const { timestamp, counts, bbox } = await pass(open('relations'), {
    relation(relation, ways, nodes) {
      if (!keepsRelation(relation.tags, kept)) return;
      collector.addRelation(relation);
      for (const way of ways) collector.addWay(way);
      for (const node of nodes) carried.push(node);
    },
  });
  if (counts.ways > 0) {
    await pass(open('ways'), {
      way(way, places) {
        if (collector.addWay(way)) for (const node of places) carried.push(node);
      },
    });
  }
  const wanted = collector.wantNodes();
  for (const node of carried) collector.addNode(node);
  if (counts.nodes > 0 && wanted > 0) {
    await pass(open('nodes'), {
      wantsNode: (id) => collector.wantsNode(id),
      node: (node) => collector.addNode(node),
    });
  }
  return { ...collector.finish(timestamp, counts, bytes), ...(bbox && { bbox }) };
}

async function pass(pieces: AsyncIterable<Uint8Array>, handlers: OsmXmlHandlers) {
  const reader = createOsmXmlReader(handlers);
  const decoder = utf8Decoder();
  for await (const piece of pieces) reader.write(decoder.decode(piece));
  reader.write(decoder.end());
  return reader.close();
}
