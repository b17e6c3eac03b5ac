/* What snapshots of a world keep of a scene: which entities are in it, and their names. */
#ifndef KI_SCENE_STATE_H
#define KI_SCENE_STATE_H

#include "scene/scene.h"

/* Has snapshots of the world keep the scene from now on. KITH_ERR_MEMORY */
kith_result ki_scene_state_begin(kith_scene *scene);

/* Ends that. `world` is NULL: the scene's was freed. */
void ki_scene_state_end(kith_scene *scene, kith_world *world);

/* To be called after each change of what is kept. */
void ki_scene_state_changed(kith_scene *scene);

#endif
