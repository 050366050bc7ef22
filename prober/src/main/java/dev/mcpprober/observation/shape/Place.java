package dev.mcpprober.observation.shape;

/** Where in a message something stands; written as a JSON Pointer. */
public record Place(Place in, String key) {
    /** The message itself. */
    public static final Place ROOT = new Place(null, "");

    public Place at(String member) {
        return new Place(this, member);
    }

    /** The place at {@code keys} below the message. */
    public static Place of(String... keys) {
        Place place = ROOT;
        for (String key : keys) {
            place = place.at(key);
        }
        return place;
    }

    @Override
    public String toString() {
        return in == null ? "" : in + "/" + key.replace("~", "~0").replace("/", "~1");
    }
}
